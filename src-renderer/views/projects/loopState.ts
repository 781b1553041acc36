import type { Loop, LoopState } from '@shared/contract/loops'
import type { Run, RunState } from '@shared/contract/orchestration'

/** How much later than the end of its loop a run's file may be dated, ms: file systems round times. */
const FILE_TIME_SLACK_MS = 1_000

const restingStates: readonly LoopState[] = ['paused', 'stopped', 'ended', 'failed']

export const isActive = (loop: Loop | undefined): boolean =>
  loop?.state === 'running' || loop?.state === 'pausing' || loop?.state === 'stopping'

export const saysAtWork = ({ state, stale, archived }: Pick<Run, 'state' | 'stale' | 'archived'>): boolean =>
  stale === null && !archived && (state.value === 'running' || state.value === 'planning')

/** A loop at work knows better than the files, which say ready until its agent has ended. */
export const stateNow = ({ state }: Pick<Run, 'state'>, loop: Loop | undefined): RunState | null =>
  state.value === 'ready' && isActive(loop) ? 'running' : state.value

/** `paused` and `stopped` by the person; `ready`: what it waited for is there. */
export type Rest = 'paused' | 'stopped' | 'ready'

/**
 * Null unless the run only waits to be resumed: its files say so, or they say it is at work and Bridgedeck wrote last.
 * @param loop that ran it last; the agent of one that was interrupted may live
 */
export function restOf(
  run: Pick<Run, 'state' | 'stale' | 'archived' | 'writtenAt' | 'writtenBy'>,
  loop: Loop | undefined,
): Rest | null {
  if (run.stale !== null || run.archived || isActive(loop) || loop?.state === 'interrupted') return null
  const isReady = run.state.value === 'ready'
  if (!isReady && !saysAtWork(run)) return null
  const isUntouched =
    loop !== undefined && restingStates.includes(loop.state) && (run.writtenAt ?? 0) <= loop.since + FILE_TIME_SLACK_MS
  if (isUntouched) return loop.state === 'paused' ? 'paused' : 'stopped'
  return isReady || run.writtenBy === 'bridgedeck' ? 'ready' : null
}
