import type { Task } from './contract/tasks'
import { durationText } from './durationText'
import { counted } from './countedText'

export function recordedText({ frames, durationMs }: NonNullable<Task['recorded']>): string {
  if (frames === 0) return 'nothing recorded'
  return `recorded ${durationText(durationMs)}, ${counted(frames, 'frame')}`
}
