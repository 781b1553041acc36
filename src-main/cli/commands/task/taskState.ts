import type { Task } from '@shared/contract/tasks'

/** One or two words. */
export function taskState({ status, interrupted, waiting, orphan }: Task): string {
  if (orphan !== null) return orphan === 'noEntry' ? 'no entry' : 'no folder'
  return interrupted !== null ? 'interrupted' : waiting !== null ? 'waiting' : status
}

/** `3 of 10`; empty for a task that runs once. */
export const taskIterations = ({ type, iterations, maxIterations }: Task): string =>
  type === 'foreground' ? '' : `${iterations ?? '?'}${maxIterations === null ? '' : ` of ${maxIterations}`}`
