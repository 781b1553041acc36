import { sorted, type Offer, type Offers, type Refusal } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { holdOffers } from '../../runHold'
import { abort } from './abort'
import { acceptResult } from './acceptResult'
import { applyFix } from './applyFix'
import { clarify } from './clarify'
import { continueRun } from './continue'
import { diagnose } from './diagnose'
import { initialise } from './initialise'
import { leave } from './leave'
import { proposeForRun } from './proposeForRun'
import { placeFix } from './placeFix'
import { resume } from './resume'
import { rollBackFix } from './rollBackFix'
import { selectFixes } from './selectFixes'
import { latestApplied, type TuningRun } from './tuningRun'
import { verifyFix } from './verifyFix'
import { read } from '../read'
import { openState } from '../state'

export function offers(files: RunFiles): Offers {
  const state = openState(files)
  if (files.candidate.archived || state.root?.kind !== 'map') return { offers: [], refusals: [] }
  const run: TuningRun = {
    files,
    state,
    status: state.details.status.value ?? undefined,
    need: read(files).view.needs[0],
  }
  const entries = [
    ...holdOffers(files.remembered, { file: state.file }),
    ...initialise(run),
    ...diagnose(run),
    ...proposeForRun(run),
    ...selectFixes(run),
    ...placeFix(run),
    ...applyFix(run),
    ...appliedFixes(run),
    ...continueRun(run),
    ...clarify(run),
    ...resume(run),
    ...acceptResult(run),
    ...leave(run),
    ...abort(run),
  ]
  return sorted(entries)
}

function appliedFixes(run: TuningRun): (Offer | Refusal)[] {
  return latestApplied(run).flatMap(({ id, node, index }) => [
    ...verifyFix(run, id, node, index),
    ...rollBackFix(run, id, node, index),
  ])
}
