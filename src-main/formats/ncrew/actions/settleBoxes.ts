import { Draft } from '../../edit/draft'
import type { Offer } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { within } from '../../listing'
import { indexField } from '../indexFacts'
import { boxesToAsk, openOutside, withKnownBoxes } from '../outsideBoxes'
import { isOpen } from '../questions'
import type { State } from '../state'

export function settleBoxes(files: RunFiles, state: State): Offer[] {
  const open = openOutside(state)
  const [first] = open
  if (!first || !state.tasks || state.questions.some(isOpen)) return []
  const answersNeed = boxesToAsk(state, files.remembered).length > 0
  const common = { target: '', fields: [], source: { file: state.tasks.text.path, line: first.line.line }, answersNeed }
  const finish: Offer = {
    ...common,
    name: 'finish',
    title: 'Finish the crew',
    effect: 'Creates CREW_COMPLETE and sets INDEX.md to complete. The boxes stay as they are.',
    plan: () => {
      const draft = new Draft(files)
      if (state.index && indexField(state, 'status')) draft.front(state.index.text.path, ['status'], 'complete')
      draft.write(within(state.folder, 'CREW_COMPLETE'), '')
      return { summary: 'Finished the crew', changes: draft.changes, warnings: [] }
    },
  }
  if (!answersNeed) return [finish]
  return [
    finish,
    {
      ...common,
      name: 'continue',
      title: 'Continue with these boxes',
      effect:
        'Lets the last expert look at the boxes: it ticks them, adds tasks for what is missing, or declares the crew complete. No project file changes.',
      unattended: {},
      plan: () => ({
        summary: 'Let the crew continue with the open boxes',
        changes: [],
        warnings: [],
        remember: withKnownBoxes(open, files.remembered),
      }),
    },
  ]
}
