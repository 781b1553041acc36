import { field, itemsOf } from '../../text/located'
import type { Values } from '../../edit/offer'
import type { StateDraft, TuningRun } from './tuningRun'

export interface CompletedAction {
  readonly action: string
  readonly outputs: readonly string[]
  readonly result?: 'skipped'
}

export function completeActions(
  { state: { root }, actionStartedAt }: TuningRun,
  draft: StateDraft,
  values: Values,
  actions: readonly CompletedAction[],
): void {
  const done = itemsOf(field(root, 'completed_actions')).length
  const entries = itemsOf(field(root, 'action_history')).length
  actions.forEach(({ action, outputs, result = 'success' }, index) => {
    draft.set(['completed_actions', done + index], action)
    draft.set(['action_history', entries + index], {
      action,
      started_at: actionStartedAt ?? values.time,
      completed_at: values.time,
      result,
      output_files: [...outputs],
    })
  })
}
