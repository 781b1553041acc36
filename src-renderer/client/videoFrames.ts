import { readFrame, type FrameReading } from '@shared/c64/videoFrame/readFrame'
import type { VideoFrame } from '@shared/contract/videoFrame'
import { call } from './call'
import { frameReads } from './frameReads'

export interface ReadVideoFrame {
  readonly told: VideoFrame
  readonly reading: FrameReading
}

export const videoFrames = frameReads<ReadVideoFrame>(async (machine, signal) => {
  const told = await call('running.videoFrame', { machine }, { signal })
  return { told, reading: readFrame(told) }
})
