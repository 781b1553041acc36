import type { Offer } from '../../edit/offer'
import { field, isNull } from '../../text/located'
import { CHOOSE_MODE } from '../needs'
import { executionModes } from '../schema'
import { SessionDraft, sourceOf, type MaestroRun } from './maestroRun'

export function chooseMode(run: MaestroRun): Offer[] {
  const need = run.needs.find(({ title }) => title === CHOOSE_MODE)
  const node = field(run.session.root, 'execution_mode')
  if (!need && (node === undefined || !isNull(node))) return []
  return [
    {
      name: 'choose-mode',
      target: '',
      title: CHOOSE_MODE,
      effect: 'Runs independent phases in parallel, or all phases one after the other.',
      fields: [
        {
          name: 'mode',
          label: 'Mode',
          kind: 'choice',
          value: null,
          options: executionModes.map((mode) => ({
            value: mode,
            label: mode === 'parallel' ? 'Parallel' : 'Sequential',
          })),
        },
      ],
      source: need?.source ?? sourceOf(run, node),
      answersNeed: need !== undefined,
      unattended: { mode: 'sequential' },
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.setTop('execution_mode', values.text('mode') ?? null)
        return draft.finish(
          `Chose to run the phases in ${values.text('mode') === 'parallel' ? 'parallel' : 'sequence'}`,
        )
      },
    },
  ]
}
