/** A frame of the machine in front, read once on request: which sprites it showed, and where it was split. */
import { create } from 'zustand'
import { readFrame, type FrameReading } from '@shared/c64/videoFrame/readFrame'
import { toFailure, type Failure } from '@shared/contract/errors'
import type { VideoFrame } from '@shared/contract/videoFrame'
import { call } from './call'
import { useFrontName, useMachines } from './machines'

export interface ReadFrame {
  readonly frame: VideoFrame
  readonly reading: FrameReading
  /** When, ms since 1970. */
  readonly at: number
}

interface Frames {
  /** What is told is of this machine. */
  readonly machine: string | null
  readonly read: ReadFrame | null
  readonly failure: Failure | null
  readonly running: AbortController | null
  /** By the person: it is not read again by itself. */
  readonly isCancelled: boolean
}

const nothing: Frames = { machine: null, read: null, failure: null, running: null, isCancelled: false }
const useFrames = create<Frames>(() => nothing)

/** Reads the next frame, unless that is under way; what was read before stays until then. */
export async function readVideoFrame(): Promise<void> {
  const machine = useMachines.getState().front
  const before = useFrames.getState()
  if (before.running && before.machine === machine) return
  before.running?.abort()
  const running = new AbortController()
  const { signal } = running
  useFrames.setState({
    machine,
    running,
    failure: null,
    isCancelled: false,
    ...(before.machine === machine ? {} : { read: null }),
  })
  try {
    const frame = await call('running.videoFrame', { machine }, { signal })
    if (!signal.aborted) useFrames.setState({ read: { frame, reading: readFrame(frame), at: Date.now() } })
  } catch (error) {
    if (!signal.aborted) useFrames.setState({ failure: toFailure(error) })
  } finally {
    if (useFrames.getState().running === running) useFrames.setState({ running: null })
  }
}

export function cancelVideoFrame(): void {
  useFrames.getState().running?.abort()
  useFrames.setState({ running: null, isCancelled: true })
}

/** Of the machine in front. */
export function useVideoFrame(): Pick<Frames, 'read' | 'failure' | 'isCancelled'> & { readonly isBusy: boolean } {
  const front = useFrontName()
  const { machine, read, failure, running, isCancelled } = useFrames()
  if (machine !== front) return { read: null, failure: null, isCancelled: false, isBusy: false }
  return { read, failure, isCancelled, isBusy: running !== null }
}
