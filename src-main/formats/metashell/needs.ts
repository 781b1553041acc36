import type { Fact, RunNeed, RunState } from '@shared/contract/orchestration'
import { unclearStatus } from '../run'
import { field, textOf } from '../text/located'
import { unclearAmount } from '../unclearAmounts'
import { pendingCheckpoint } from './runState'
import { unclearBreaker, type State, type TaskNode } from './state'

export function readNeeds(
  state: State,
  value: RunState | null,
  reason: Fact<string>,
  tasks: readonly TaskNode[],
  cursor: Fact<number>,
  modifiedAt: number | null,
): RunNeed[] {
  const { session } = state
  const doubts = session ? unclearBreaker(state).map((doubt) => unclearAmount(doubt)) : []
  if (session && value === null) {
    const status = field(session.root, 'status')
    return [unclearStatus(textOf(status), status ? session.source(status) : { file: session.file }), ...doubts]
  }
  if (doubts.length > 0) return doubts
  if (!session || (value !== 'waiting' && value !== 'failed' && value !== 'limit' && value !== 'gate')) return []
  const source = reason.source ?? (session.root ? session.source(session.root) : { file: session.file })
  const since: Fact<number> = { value: modifiedAt, source: { file: session.file } }
  const checkpoint = value === 'waiting' ? pendingCheckpoint(state, tasks, cursor) : undefined
  if (checkpoint) {
    const { message, options, taskId } = checkpoint
    return [
      {
        kind: 'question',
        title: message,
        detail: message,
        options,
        source: checkpoint.source,
        since,
        unblocks: taskId === undefined ? [] : [taskId],
      },
    ]
  }
  const detail = reason.value ?? 'The files do not say why.'
  const kind = value === 'failed' ? 'failure' : 'gate'
  const titles = {
    waiting: titleFrom(reason.value) ?? 'The session halted',
    failed: titleFrom(reason.value) ?? 'A task failed',
    limit: 'No re-plans left',
    gate: 'Phase complete: start the next one',
  }
  return [{ kind, title: titles[value], detail, options: [], source, since, unblocks: [] }]
}

const titleFrom = (reason: string | null): string | undefined =>
  reason?.includes(' ') === true ? reason.split('\n', 1)[0] : undefined
