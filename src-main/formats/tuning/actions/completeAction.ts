import { field, itemsOf } from '../../text/located'
import type { Values } from '../../edit/offer'
import type { StateDraft, TuningRun } from './tuningRun'

export interface CompletedAction {
  readonly action: string
  /** In the run’s project. */
  readonly outputs: readonly string[]
}

/** Notes actions as done, in their order: by name, and with what each wrote. */
export function completeActions(
  { state: { root } }: TuningRun,
  draft: StateDraft,
  values: Values,
  actions: readonly CompletedAction[],
): void {
  const done = itemsOf(field(root, 'completed_actions')).length
  const entries = itemsOf(field(root, 'action_history')).length
  actions.forEach(({ action, outputs }, index) => {
    draft.set(['completed_actions', done + index], action)
    draft.set(['action_history', entries + index], {
      action,
      started_at: values.time,
      completed_at: values.time,
      result: 'success',
      output_files: [...outputs],
    })
  })
}
