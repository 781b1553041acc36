import type { Task } from '@shared/contract/tasks'
import { recordedText } from '@shared/recordedText'

/** One or two words; of a recording that has ended, what it holds. */
export function taskState({ status, interrupted, waiting, orphan, recorded }: Task): string {
  if (orphan !== null) return orphan === 'noEntry' ? 'no entry' : 'no folder'
  if (interrupted !== null) return 'interrupted'
  if (waiting !== null) return 'waiting'
  return recorded !== null && (status === 'stopped' || status === 'completed') ? recordedText(recorded) : status
}

/** `3 of 10`; empty for a task that runs once, and for a recording. */
export const taskIterations = ({ type, iterations, maxIterations, recorded }: Task): string =>
  type === 'foreground' || recorded !== null
    ? ''
    : `${iterations ?? '?'}${maxIterations === null ? '' : ` of ${maxIterations}`}`
