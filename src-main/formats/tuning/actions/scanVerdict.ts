/** What scanning the skill without and with a fix says of it. */
import { Draft } from '../../edit/draft'
import type { RunFiles } from '../../format'
import { listNames } from '@shared/listNames'
import { within } from '../../listing'
import { field, textOf, type Located } from '../../text/located'
import { changesOf, skillFolder, unmodified, withoutMarker, type Change } from '../fix'
import { knownIssues } from '../knownIssues'
import { asKnown, issuesOf, type ScannedIssue } from '../scan/issues'
import { scanSkill, type Area } from '../scan/scan'
import type { SkillFile } from '../scan/skillText'
import { diagnosisAreas } from '../schema'
import { markdownOf, relativeTo } from '../skills'
import { attempt, idsOf, type TuningRun } from './tuningRun'

export interface ScanVerdict {
  /** Undefined where the scanners cannot tell. */
  readonly verdict: 'pass' | 'fail' | undefined
  /** A sentence. */
  readonly reason: string
}

/** The areas that each strategy is about; another strategy may be about any. */
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

const cannotTell = (reason: string): ScanVerdict => ({ verdict: undefined, reason })

/** @param backup the folder with the files as they were before the fix */
export function scanVerdict(run: TuningRun, fix: Located, backup: string | undefined): ScanVerdict {
  const { files, state } = run
  const after = skillTexts(files, skillFolder(files, state) ?? '')
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
    asKnown(was),
    usedIds,
  )
  return compare(was, is, idsOf(field(fix, 'issue_ids')), new Set(changes.map(({ relative }) => relative)))
}

function compare(
  was: readonly ScannedIssue[],
  is: readonly ScannedIssue[],
  solved: readonly string[],
  changed: ReadonlySet<string>,
): ScanVerdict {
  const before = new Set(was.map(({ id }) => id))
  const unseen = solved.filter((id) => !before.has(id))
  const left = is.filter(({ id }) => solved.includes(id))
  const added = is.filter(({ id, location }) => !before.has(id) && changed.has(location.file))
  if (left.length > 0)
    return {
      verdict: 'fail',
      reason: `Still there: ${listNames(left.map(({ id, evidence }) => `${id} (${evidence[0] ?? ''})`))}.`,
    }
  if (solved.length === 0) return cannotTell('The fix names no issue.')
  if (unseen.length > 0) return cannotTell(`The scanners do not look for ${listNames(unseen)}.`)
  if (added.length > 0)
    return {
      verdict: 'fail',
      reason: `New with the fix: ${listNames(added.map(({ description, evidence }) => `${description} (${evidence[0] ?? ''})`))}.`,
    }
  return { verdict: 'pass', reason: `Scanned again: ${listNames(solved)} no longer found.` }
}

const filesOf = (texts: ReadonlyMap<string, string>): SkillFile[] => [...texts].map(([path, text]) => ({ path, text }))

/** Characters of a skill that is scanned while a person waits. */
const MAX_CHARACTERS = 8_000_000

/** By path in the skill. */
export function skillTexts(
  { listing, files }: RunFiles,
  skill: string,
): Map<string, string> | { readonly problem: string } {
  const texts = new Map<string, string>()
  let characters = 0
  for (const path of markdownOf(listing, skill)) {
    const text = files.get(path)?.text
    if (typeof text !== 'string') return { problem: `${path} cannot be read.` }
    characters += text.length
    if (characters > MAX_CHARACTERS) return { problem: `The skill is larger than ${MAX_CHARACTERS / 1e6} MB.` }
    texts.set(relativeTo(skill, path), text)
  }
  return texts
}

/** Undefined where neither its changes can be taken back nor a copy is there. */
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
