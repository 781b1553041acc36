import { frameNotes } from '@shared/c64/videoFrame/frameText'
import { FrameReader } from './FrameReader'
import { videoFrames, type ReadVideoFrame } from './videoFrames'

const notesOf = ({ told }: ReadVideoFrame): string[] => frameNotes(told)

export const VideoFrameReader = ({ visible }: { readonly visible: boolean }) => (
  <FrameReader visible={visible} reads={videoFrames} action="sprites.readFrame" notesOf={notesOf} />
)
