import { Draft } from '../../edit/draft'
import type { RunFiles } from '../../format'
import { within } from '../../listing'
import { field, textOf, type Located } from '../../text/located'
import { changesOf, requireSkillFolder, unmodified, withoutMarker, type Change } from '../fix'
import { knownIssues } from '../knownIssues'
import { cannotTell, compareScans, type ScanVerdict } from '../scan/compareScans'
import { issuesOf } from '../scan/issues'
import { scanSkill, type Area } from '../scan/scan'
import { diagnosisAreas } from '../schema'
import { filesOf, skillTexts } from './skillTexts'
import { attempt, idsOf, type TuningRun } from './tuningRun'

const strategyAreas: ReadonlyMap<string, Area> = new Map<string, Area>(
  Object.entries({
    context_summarization: 'context',
    sliding_window: 'context',
    structured_state: 'context',
    path_reference: 'context',
    constraint_injection: 'memory',
    checkpoint_restore: 'memory',
    goal_embedding: 'memory',
    state_constraints_field: 'memory',
    state_centralization: 'dataflow',
    schema_enforcement: 'dataflow',
    field_normalization: 'dataflow',
    transactional_updates: 'dataflow',
    error_wrapping: 'agent',
    result_validation: 'agent',
    orchestrator_refactor: 'agent',
    flatten_nesting: 'agent',
  }),
)

/** @param backup folder with the files before the fix */
export function scanVerdict(run: TuningRun, fix: Located, backup: string | undefined): ScanVerdict {
  const { files, state } = run
  const after = skillTexts(files, requireSkillFolder(files, state))
  if (!(after instanceof Map)) return cannotTell(after.problem)
  const changes = changesOf(files, state, fix)
  const before = textsBefore(files, after, changes, { id: textOf(field(fix, 'id')) ?? '', backup })
  if (!before) return cannotTell('The files as they were before the fix are not known.')
  const area = strategyAreas.get(textOf(field(fix, 'strategy')) ?? '')
  const areas = area === undefined ? diagnosisAreas : [area]
  const { known, usedIds } = knownIssues(state)
  const was = issuesOf(
    scanSkill(filesOf(before), areas, () => 0),
    known,
    usedIds,
  )
  const is = issuesOf(
    scanSkill(filesOf(after), areas, () => 0),
    [],
    usedIds,
  )
  const changed = new Set(changes.map(({ relative }) => relative))
  return compareScans(was, is, idsOf(field(fix, 'issue_ids')), changed, after)
}

function textsBefore(
  files: RunFiles,
  after: ReadonlyMap<string, string>,
  changes: readonly Change[],
  { id, backup }: { readonly id: string; readonly backup: string | undefined },
): Map<string, string> | undefined {
  const before = new Map(after)
  const draft = new Draft(files)
  for (const change of changes.toReversed()) {
    const { relative, action } = change
    const current = before.get(relative)
    if (action === 'create') {
      before.delete(relative)
      continue
    }
    const reverted =
      action === 'modify' && current !== undefined ? unmodified(withoutMarker(current, id), change) : undefined
    const copy = backup === undefined ? undefined : attempt(() => draft.text(within(backup, relative)).text)
    const text = reverted ?? copy
    if (text !== undefined) before.set(relative, text)
    else if (relative.endsWith('.md')) return undefined
  }
  return before
}
