import { sorted, type Offers } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { ownCheckOffer } from '../../ownCheck'
import { holdOffers } from '../../runHold'
import { holdSource, isProject, locate } from '../state'
import { answer } from './answer'
import { approve } from './approve'
import { gitSteps } from './gitSteps'
import { reopen } from './reopen'
import { rollBack } from './rollBack'
import { settleBoxes } from './settleBoxes'
import { setLimits } from './setLimits'
import { tick } from './tick'
import { unlock } from './unlock'

export function offers(files: RunFiles): Offers {
  const state = locate(files)
  if (files.candidate.archived || !isProject(files, state)) return { offers: [], refusals: [] }
  const { tasks } = state
  return sorted([
    ...state.questions.flatMap((question) => answer(files, question)),
    ...approve(files, state),
    ...settleBoxes(files, state),
    ...holdOffers(files.remembered, holdSource(state)),
    ...(tasks
      ? state.phases.flatMap((phase) => phase.tasks.map((task) => tick(files, state, tasks, phase, task)))
      : []),
    ...setLimits(files, state),
    ...(state.tasks
      ? [
          ownCheckOffer(
            files.remembered,
            { file: state.tasks.text.path },
            {
              when: 'after each turn that ticked a task',
              then: 'Where it fails, the crew waits for you.',
            },
          ),
        ]
      : []),
    ...reopen(files, state),
    ...unlock(files, state),
    ...rollBack(files, state),
    ...gitSteps(files),
  ])
}
