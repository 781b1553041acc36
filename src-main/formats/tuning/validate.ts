import { Checks } from '../checks'
import type { Finding, Repair, TextEdit } from '../finding'
import type { RunFiles } from '../format'
import { within } from '../listing'
import {
  at,
  entriesOf,
  field,
  isNull,
  itemsOf,
  LocatedDocument,
  numberOf,
  stringOf,
  textOf,
  timeOf,
  type Located,
} from '../text/located'
import { projectPath } from '../text/namedPath'
import { schemaFindings } from '../schemaFindings'
import { contradictions } from './contradictions'
import { initialStateSchema, ROLLED_BACK, startedStateSchema, USER_EXIT } from './schema'
import { openState, type TuningState } from './state'

/** The actions' own instructions differ here from the specification's types: files with that work. */
const knownDrift = {
  'issues.*.priority': 'info',
  'issues.*.related_issues': 'info',
  'issues.*.location': 'warning',
  'issues.*.location.file': 'warning',
  'action_history.*.completed_at': 'info',
  'action_history.*.result': 'info',
  'action_history.*.output_files': 'info',
  'errors.*.recoverable': 'info',
  // Its own proposals use strategies that the specification does not list.
  'proposed_fixes.*.strategy': 'warning',
} as const

const knownWords = {
  status: [USER_EXIT],
  'applied_fixes.*.verification_result': [ROLLED_BACK, 'inconclusive'],
  'issues.*.type': ['doc_redundancy', 'doc_conflict', 'token_consumption'],
}

export function validate(files: RunFiles): Finding[] {
  const state = openState(files)
  const { document, root, details } = state
  const folded = new LocatedDocument(document.text, root, document.findings)
  const schema = details.status.value === 'pending' ? initialStateSchema : startedStateSchema
  const checks = new Checks('tuning')
  for (const { name, key } of state.folded) checkDottedKey(checks, document, name, key)
  checkReferences(checks, state)
  checkTimes(checks, state)
  checkPaths(checks, state, files)
  return [
    ...state.findings,
    ...contradictions(state),
    ...schemaFindings(folded, schema, { format: 'tuning', severities: knownDrift, knownWords }),
    ...checks.findings,
  ]
}

function checkDottedKey(
  checks: Checks,
  document: LocatedDocument,
  name: string,
  key: { start: number; end: number },
): void {
  const repair = unfold(document, name)
  checks.findings.push(
    document.text.finding(
      key,
      'tuning/dotted-key',
      'warning',
      `“${name.split('.').at(-1)}” inside “${name.split('.').slice(0, -1).join('.')}”`,
      repair ? { repair } : {},
    ),
  )
}

function unfold(document: LocatedDocument, name: string): Repair | undefined {
  const { root } = document
  const target = at(root, ...name.split('.'))
  const entry = root?.kind === 'map' ? root.fields.get(name) : undefined
  if (root?.kind !== 'map' || !target || !entry || document.findings.length > 0) return undefined
  const entries = [...root.fields.values()]
  const index = entries.indexOf(entry)
  const [previous, next] = [entries[index - 1], entries[index + 1]]
  const [start, end] = previous
    ? [previous.value.end, entry.value.end]
    : [entry.key.start, next?.key.start ?? entry.value.end]
  const edits: TextEdit[] = [
    {
      offset: target.start,
      length: target.end - target.start,
      text: document.text.text.slice(entry.value.start, entry.value.end),
    },
    { offset: start, length: end - start, text: '' },
  ]
  return { title: `Move the value to ${name.replaceAll('.', ' → ')}`, edits }
}

function checkReferences(checks: Checks, { document, root, details }: TuningState): void {
  const issues = itemsOf(field(root, 'issues'))
  const fixes = itemsOf(field(root, 'proposed_fixes'))
  const issueIds = unique(
    checks,
    document,
    issues,
    'id',
    'warning',
    'an id that no other issue has: iterations count from 1 again',
  )
  const fixIds = unique(checks, document, fixes, 'id', 'error', 'an id that no other fix has')
  const applied = itemsOf(field(root, 'applied_fixes'))
  const appliedIds = new Set(applied.map((node) => textOf(field(node, 'fix_id'))))

  const resolve = (
    node: Located,
    ids: ReadonlySet<string>,
    severity: 'error' | 'warning' | 'info',
    expected: string,
  ): void => {
    const id = textOf(node)
    if (id !== undefined && !ids.has(id)) checks.add(document, node, 'reference', severity, expected)
  }
  for (const issue of issues)
    for (const node of itemsOf(field(issue, 'related_issues'))) resolve(node, issueIds, 'warning', 'the id of an issue')
  for (const fix of fixes) {
    const severity = appliedIds.has(textOf(field(fix, 'id'))) ? 'info' : 'warning'
    for (const node of itemsOf(field(fix, 'issue_ids'))) resolve(node, issueIds, severity, 'the id of an issue')
  }
  for (const node of applied) {
    const id = field(node, 'fix_id')
    if (id) resolve(id, fixIds, 'warning', 'the id of a proposed fix')
  }
  const seen = new Set<string>()
  const latestById = new Map(
    details.fixes.map(({ id, applied }) => [id.value, applied.at(-1)?.verification.value] as const).reverse(),
  )
  for (const node of itemsOf(field(root, 'pending_fixes'))) {
    const id = textOf(node)
    if (id === undefined) continue
    resolve(node, fixIds, 'error', 'the id of a proposed fix')
    const latest = latestById.get(id)
    if (latest === 'pass' || latest === 'pending')
      checks.add(document, node, 'pending-fix', 'error', 'a fix that is not applied yet')
    if (seen.has(id)) checks.add(document, node, 'pending-fix', 'warning', 'each fix once')
    seen.add(id)
  }
}

function unique(
  checks: Checks,
  document: LocatedDocument,
  nodes: readonly Located[],
  name: string,
  severity: 'error' | 'warning',
  expected: string,
): Set<string> {
  const ids = new Set<string>()
  for (const node of nodes) {
    const id = textOf(field(node, name))
    if (id === undefined) continue
    if (ids.has(id)) checks.add(document, field(node, name), 'unique-id', severity, expected)
    ids.add(id)
  }
  return ids
}

function checkTimes(checks: Checks, { document, root }: TuningState): void {
  const ordered = (parent: Located | undefined, first: string, second: string): void => {
    const [from, to] = [timeOf(field(parent, first)), timeOf(field(parent, second))]
    if (from !== undefined && to !== undefined && to < from)
      checks.add(document, field(parent, second), 'time-order', 'warning', `a time after “${first}”`)
  }
  ordered(root, 'started_at', 'updated_at')
  for (const entry of itemsOf(field(root, 'action_history'))) ordered(entry, 'started_at', 'completed_at')
  for (const issue of itemsOf(field(root, 'issues'))) {
    const [start, end] = [numberOf(at(issue, 'location', 'line_start')), numberOf(at(issue, 'location', 'line_end'))]
    if (start !== undefined && end !== undefined && end < start)
      checks.add(document, at(issue, 'location', 'line_end'), 'line-order', 'warning', `at least ${start}`)
  }
}

function checkPaths(checks: Checks, { document, root }: TuningState, { candidate, listing }: RunFiles): void {
  const contained = (node: Located | undefined): string | undefined => {
    const path = stringOf(node)
    if (path === undefined || path === '') return undefined
    const inside = projectPath(candidate.folder, path)
    if (inside === undefined) checks.add(document, node, 'path', 'warning', 'a relative path without “..”')
    return inside
  }
  const workDir = contained(field(root, 'work_dir'))
  if (workDir !== undefined && workDir !== candidate.marker)
    checks.add(document, field(root, 'work_dir'), 'work-dir', 'warning', `the folder of this file, ${candidate.marker}`)
  contained(at(root, 'target_skill', 'path'))
  contained(field(root, 'backup_dir'))
  for (const fix of itemsOf(field(root, 'proposed_fixes')))
    for (const change of itemsOf(field(fix, 'changes'))) contained(field(change, 'file'))
  for (const fix of itemsOf(field(root, 'applied_fixes'))) {
    const backup = contained(field(fix, 'backup_path'))
    const promised = at(fix, 'rollback_available')
    if (
      backup === undefined ||
      promised?.kind !== 'scalar' ||
      promised.value !== true ||
      backup === within(candidate.folder, '')
    )
      continue
    if (!listing.hasFolder(backup) && !listing.hasFile(backup))
      checks.add(
        document,
        field(fix, 'backup_path'),
        'backup',
        'warning',
        'a backup that is there, as a roll back is said to be possible',
      )
  }
  for (const [, diagnosis] of entriesOf(field(root, 'diagnosis')))
    if (!isNull(diagnosis))
      for (const evidence of itemsOf(at(diagnosis, 'details', 'evidence'))) contained(field(evidence, 'file'))
}
