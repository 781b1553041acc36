import type { Task } from '@shared/contract/tasks'
import { recordedText } from '@shared/recordedText'

export function taskState({ status, interrupted, waiting, orphan, recorded }: Task): string {
  if (orphan !== null) return orphan === 'noEntry' ? 'no entry' : 'no folder'
  if (interrupted !== null) return 'interrupted'
  if (waiting !== null) return 'waiting'
  return recorded !== null && (status === 'stopped' || status === 'completed') ? recordedText(recorded) : status
}

export const taskIterations = ({ type, iterations, maxIterations, recorded }: Task): string =>
  type === 'foreground' || recorded !== null
    ? ''
    : `${iterations ?? '?'}${maxIterations === null ? '' : ` of ${maxIterations}`}`
