import type { Offer } from '../../edit/offer'
import { field, isNull } from '../../text/located'
import { executionModes } from '../schema'
import { SessionDraft, sourceOf, type MaestroRun } from './maestroRun'

export function chooseMode(run: MaestroRun): Offer[] {
  const need = run.needs.find(({ kind, title }) => kind === 'gate' && title === 'Choose how the phases are executed')
  const node = field(run.session.root, 'execution_mode')
  if (!need && (node === undefined || !isNull(node))) return []
  return [
    {
      name: 'choose-mode',
      target: '',
      title: 'Choose how the phases are executed',
      effect: 'Runs independent phases in parallel, or all phases one after the other.',
      fields: [
        {
          name: 'mode',
          label: 'The phases are executed',
          kind: 'choice',
          value: null,
          options: executionModes.map((mode) => ({
            value: mode,
            label: mode === 'parallel' ? 'Side by side (parallel)' : 'One after the other (sequential)',
          })),
        },
      ],
      source: need?.source ?? sourceOf(run, node),
      answersNeed: need !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.setTop('execution_mode', values.text('mode') ?? null)
        return draft.finish(
          `Chose to execute the phases in ${values.text('mode') === 'parallel' ? 'parallel' : 'sequence'}`,
        )
      },
    },
  ]
}
