import { sorted, type Offers } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { field, textOf } from '../../text/located'
import { read } from '../read'
import { ownCheckOffer } from '../../ownCheck'
import { batchHoldOffers, holdOffers } from '../../runHold'
import { batchSource, holdSource, openRun } from '../state'
import { hooks } from './hooks'
import { abort } from './abort'
import { acceptReview } from './acceptReview'
import { approve } from './approve'
import { archive } from './archive'
import { chooseMode } from './chooseMode'
import { createSession } from './createSession'
import { openSession } from './maestroRun'
import { reconcile } from './reconcile'
import { resolve } from './resolve'
import { retry } from './retry'
import { skip } from './skip'

export function offers(files: RunFiles): Offers {
  const state = openRun(files)
  if (files.candidate.archived) return { offers: [], refusals: [] }
  const needs = read(files)?.view.needs ?? []
  const gates = [
    ...batchHoldOffers(files.remembered, batchSource(files, state)),
    ...state.gates.flatMap((gate) => approve(files, state, gate, needs)),
  ]
  const ofHooks = hooks(files, state.details)
  if (!state.session) return sorted([...gates, ...createSession(files, state), ...ofHooks])
  const run = openSession(files, state, needs)
  if (!run) return sorted([...gates, ...ofHooks])
  const { phases } = run
  const status = textOf(field(run.session.root, 'status'))
  const entries =
    status === 'in_progress'
      ? [
          ...chooseMode(run),
          ...phases.flatMap((phase) => [
            ...retry(run, phase),
            ...skip(run, phase),
            ...reconcile(run, phase),
            ...phase.errors.flatMap((error) => resolve(run, phase, error)),
          ]),
          ...acceptReview(run),
          ...archive(run),
          ...abort(run),
          ownCheckOffer(
            files.remembered,
            { file: run.session.file },
            {
              when: 'once an agent reports a phase done',
              then: 'Where it fails, the phase fails, and its next attempt is told.',
            },
          ),
        ]
      : archive(run)
  return sorted([...holdOffers(files.remembered, holdSource(run.session)), ...gates, ...entries, ...ofHooks])
}
