import { AppError } from '@shared/contract/errors'
import type { Json } from '@shared/json'
import { Draft } from '../../edit/draft'
import { parseLocatedJson } from '../../text/locatedJson'
import { StateText } from '../../text/stateFile'
import { asJson, requireTexts } from '../actions/diagnose'
import { filesOf } from '../actions/skillTexts'
import type { TuningRun } from '../actions/tuningRun'
import { applyChange, changesOf, requireSkillFolder, unifiedDiff } from '../fix'
import { knownIssues } from '../knownIssues'
import { compareScans, type ScanVerdict } from '../scan/compareScans'
import { issuesOf } from '../scan/issues'
import { scanSkill } from '../scan/scan'
import { diagnosisAreas } from '../schema'
import { isPartOfRun, relativeTo } from '../skills'

export interface ProvenChanges {
  readonly changes: readonly Json[]
  readonly scanned: ScanVerdict
}

/**
 * Works on a copy of the skill.
 * @param issues ids that the changes are for
 * @throws AppError CONFLICT when the changes do not fit, or an issue is still found
 */
export function provenChanges(run: TuningRun, described: readonly unknown[], issues: readonly string[]): ProvenChanges {
  const { files, state } = run
  const { root } = parseLocatedJson(new StateText('answer', JSON.stringify({ changes: described })))
  const skill = requireSkillFolder(files, state)
  const draft = new Draft(files)
  for (const change of root ? changesOf(files, state, root) : []) {
    const { relative, action } = change
    if (isPartOfRun(relative) || (relative === 'SKILL.md' && action === 'delete'))
      throw new AppError('CONFLICT', `${relative} must stay as it is.`)
    applyChange(draft, change)
  }
  const touched = draft.changes
  if (touched.length === 0) throw new AppError('CONFLICT', 'The changes leave every file as it is.')
  const scanned = scanWith(
    run,
    issues,
    touched.map(({ file, after }) => ({ file: relativeTo(skill, file), after })),
  )
  if (scanned.verdict === 'fail') throw new AppError('CONFLICT', `Scanned with the changes. ${scanned.reason}`)
  const changes = touched.map(({ file, before, after }) => {
    const relative = relativeTo(skill, file)
    if (before === null || after === null)
      return asJson({
        file: relative,
        ...(after === null ? { action: 'delete' } : { action: 'create', new_content: after }),
      })
    const diff = unifiedDiff(relative, before, after)
    return asJson({ file: relative, action: 'modify', ...(diff === undefined ? { new_content: after } : { diff }) })
  })
  return { changes, scanned }
}

function scanWith(
  run: TuningRun,
  issues: readonly string[],
  changed: readonly { readonly file: string; readonly after: string | null }[],
): ScanVerdict {
  const { known, usedIds } = knownIssues(run.state)
  const before = requireTexts(run)
  const after = new Map(before)
  for (const { file, after: text } of changed)
    if (text === null) after.delete(file)
    else after.set(file, text)
  const scan = (texts: ReadonlyMap<string, string>) => scanSkill(filesOf(texts), diagnosisAreas, () => 0)
  const was = issuesOf(scan(before), known, usedIds)
  return compareScans(was, issuesOf(scan(after), [], []), issues, new Set(changed.map(({ file }) => file)), after)
}
