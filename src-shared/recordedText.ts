import type { Task } from './contract/tasks'
import { durationText } from './durationText'
import { counted } from './countedText'

/** `recorded 11 s, 513 frames`; what a recording that has ended says of itself. */
export function recordedText({ frames, durationMs }: NonNullable<Task['recorded']>): string {
  if (frames === 0) return 'nothing recorded'
  return `recorded ${durationText(durationMs)}, ${counted(frames, 'frame')}`
}
