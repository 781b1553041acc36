/** What the loop of Bridgedeck that ran a run last tells of it. */
import type { Loop, LoopState } from '@shared/contract/loops'
import type { Run } from '@shared/contract/orchestration'

/** How much later than its loop ended a run's file may be dated: file systems round times, ms. */
const FILE_TIME_SLACK_MS = 1_000

const restingStates: readonly LoopState[] = ['paused', 'stopped', 'ended', 'failed']

export const isActive = (loop: Loop | undefined): boolean =>
  loop?.state === 'running' || loop?.state === 'pausing' || loop?.state === 'stopping'

export const saysAtWork = ({ state, stale, archived }: Pick<Run, 'state' | 'stale' | 'archived'>): boolean =>
  stale === null && !archived && (state.value === 'running' || state.value === 'planning')

/**
 * Whether a run that says it is at work only waits to be continued: Bridgedeck ran it last, and nobody wrote to it since.
 * @param loop that ran it last
 */
export const isAtRest = (
  run: Pick<Run, 'state' | 'stale' | 'archived' | 'writtenAt'>,
  loop: Loop | undefined,
): boolean =>
  loop !== undefined &&
  saysAtWork(run) &&
  restingStates.includes(loop.state) &&
  (run.writtenAt ?? 0) <= loop.since + FILE_TIME_SLACK_MS
