/** What a person does with a tuning run: start it, choose, apply, verify and take back fixes, and end it or go on. */
import type { Action, ActionPlan, ActionRequest } from '../edit/action'
import { listed, planOffer, sorted, type Offer, type Offers, type Refusal } from '../edit/offer'
import type { RunFiles } from '../format'
import { within } from '../listing'
import { booleanOf, field, foldDotted, itemsOf, textOf } from '../text/located'
import { jsonOf } from '../text/locatedJson'
import { abort } from './actions/abort'
import { applyFix } from './actions/applyFix'
import { backupOf, MOST_BACKUP, wholeBackup } from './actions/backups'
import { clarify } from './actions/clarify'
import { goOn } from './actions/goOn'
import { filesToBackUp, initialise } from './actions/initialise'
import { leave, resume } from './actions/leaveAndResume'
import { rollBackFix } from './actions/rollBackFix'
import { selectFixes } from './actions/selectFixes'
import { attempt, latestApplied, type Run } from './actions/tuningRun'
import { verifyFix } from './actions/verifyFix'
import { changesOf, fixBackup, isPlainId, skillFolder } from './fix'
import { read } from './read'
import { openState } from './state'

export const actions = (files: RunFiles): Action[] => listed(offersFor(files))
export const plan = (files: RunFiles, request: ActionRequest): ActionPlan => planOffer(offersFor(files), request)

/** Changes of all fixes whose files a run is read with. */
const MOST_CHANGES = 500

/** What the actions need beside the state: the files that open fixes change, their backups, and what is written beside the state. */
export function named(files: RunFiles, request?: ActionRequest): string[] {
  const { candidate, listing } = files
  const file = within(candidate.marker, 'state.json')
  const document = jsonOf(file, files.files.get(file))
  const { root } = foldDotted(document.root)
  const state = { root } as const
  const wanted = new Set(
    ['abort-report.md', 'errors.json', 'fixes/applied-fixes.json'].map((name) => within(candidate.marker, name)),
  )
  const skill = skillFolder(files, state)
  const fixes = [...itemsOf(field(root, 'proposed_fixes'))].slice(0, MOST_CHANGES)
  for (const fix of skill === undefined ? [] : fixes) {
    const id = textOf(field(fix, 'id'))
    for (const change of attempt(() => changesOf(files, state, fix)) ?? []) {
      if (wanted.size > 2 * MOST_CHANGES) break
      wanted.add(change.path)
      if (id !== undefined && isPlainId(id)) wanted.add(within(fixBackup(files, state, id), change.relative))
    }
  }
  for (const applied of itemsOf(field(root, 'applied_fixes'))) {
    const folder = backupOf(files, state, applied)
    if (folder === undefined || booleanOf(field(applied, 'rollback_available')) !== true) continue
    for (const path of listing.below(folder).slice(0, MOST_BACKUP)) wanted.add(path)
  }
  const backup = wholeBackup(files, state)
  if (skill !== undefined && backup.length <= MOST_BACKUP) for (const { from, to } of backup) wanted.add(from).add(to)
  for (const path of request ? filesToBackUp(files, request) : []) wanted.add(path)
  return [...wanted].filter((path) => listing.hasFile(path) && path !== file)
}

function offersFor(files: RunFiles): Offers {
  const state = openState(files)
  if (files.candidate.archived || state.root?.kind !== 'map') return { offers: [], refusals: [] }
  const run: Run = { files, state, status: textOf(field(state.root, 'status')), need: read(files).view.needs[0] }
  const entries = [
    ...initialise(run),
    ...selectFixes(run),
    ...applyFix(run),
    ...appliedFixes(run),
    ...goOn(run),
    ...clarify(run),
    ...resume(run),
    ...leave(run),
    ...abort(run),
  ]
  return sorted(entries)
}

function appliedFixes(run: Run): (Offer | Refusal)[] {
  return latestApplied(run).flatMap(({ id, node, index }) => [
    ...verifyFix(run, id, node, index),
    ...rollBackFix(run, id, node, index),
  ])
}
