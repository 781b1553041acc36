import { Facts } from '../text/facts'
import { fileFinding, type Finding } from '../finding'
import { within } from '../listing'
import {
  at,
  entriesOf,
  field,
  foldDotted,
  isNull,
  itemsOf,
  LocatedDocument,
  numberOf,
  textOf,
  type Located,
} from '../text/located'
import { jsonOf } from '../text/locatedJson'
import { oncePerRun } from '../oncePerRun'
import type { AppliedFix, Diagnosis, Fix, HistoryEntry, Issue, StateDetails } from './details'
import { isLeft } from './left'
import { readRounds } from './rounds'
import { analysisAreas, diagnosisAreas, USER_EXIT } from './schema'
import { compositeScore, healthScore, severities, type Severity } from './scores'

export interface TuningState {
  readonly file: string
  readonly document: LocatedDocument
  readonly root: Located | undefined
  readonly folded: ReturnType<typeof foldDotted>['folded']
  readonly details: StateDetails
  readonly findings: readonly Finding[]
}

const reportNames = ['tuning-report.md', 'tuning-summary.md', 'abort-report.md', 'requirement-analysis.md']

export const openState = oncePerRun(({ candidate, files, listing, remembered }): TuningState => {
  const file = within(candidate.marker, 'state.json')
  const stateFile = files.get(file)
  const document = jsonOf(file, stateFile)
  const { root, folded } = foldDotted(document.root)
  const reports = [
    ...reportNames.map((name) => within(candidate.marker, name)).filter((path) => listing.hasFile(path)),
    ...listing.in(within(candidate.marker, 'diagnosis')).filter((path) => /\/gemini-analysis-\w+\.md$/.test(path)),
  ]
  const missing = stateFile
    ? []
    : [fileFinding(file, 'tuning/state-file', 'error', 'no such file', 'the state of the run')]
  return {
    file,
    document,
    root,
    folded,
    details: {
      system: 'tuning',
      workDir: candidate.marker,
      reports,
      rounds: readRounds(remembered).map(({ found, left }) => ({ found, left })),
      ...readState(document, root, isLeft(remembered)),
    },
    findings: [...missing, ...(stateFile?.findings ?? []), ...document.findings],
  }
})

function readState(
  document: LocatedDocument,
  root: Located | undefined,
  wasLeft: boolean,
): Omit<StateDetails, 'system' | 'workDir' | 'reports' | 'rounds'> {
  const read = new Facts(document)
  const status = read.text(root, 'status')
  const focus = read.texts(root, 'focus_areas')
  const issues = itemsOf(field(root, 'issues')).map((node, index) => readIssue(read, node, index))
  const counted = countSeverities(issues)
  const decisive = countSeverities(issues.filter(isDecisive))
  const fixes = readFixes(read, root)
  const areas = focus.flatMap(({ value }) =>
    value === null || analysisAreas.some((area) => area === value) ? [] : [value],
  )
  const diagnoses = readDiagnoses(read, root, areas)
  return {
    status: wasLeft && status.value === 'running' ? { ...status, value: USER_EXIT } : status,
    skill: readSkill(read, field(root, 'target_skill')),
    problem: read.text(root, 'user_issue_description'),
    focus,
    diagnoses,
    issues,
    issuesBySeverity: { recorded: readSeverities(read, field(root, 'issues_by_severity')), counted, decisive },
    fixes,
    score: readScore(read, root, decisive, diagnoses, fixes),
    currentAction: read.text(root, 'current_action'),
    completedActions: read.texts(root, 'completed_actions'),
    history: itemsOf(field(root, 'action_history')).map((node) => readHistory(read, node)),
    analysis: readAnalysis(read, field(root, 'gemini_analysis')),
    requirements: readRequirements(read, field(root, 'requirement_analysis')),
    backupDir: read.text(root, 'backup_dir'),
  }
}

const readSkill = (read: Facts, skill: Located | undefined): StateDetails['skill'] => ({
  name: read.text(skill, 'name'),
  path: read.text(skill, 'path'),
  mode: read.text(skill, 'execution_mode'),
  phases: read.texts(skill, 'phases'),
  specs: read.texts(skill, 'specs'),
})

const readSeverities = (read: Facts, counts: Located | undefined): StateDetails['issuesBySeverity']['recorded'] => ({
  critical: read.number(counts, 'critical'),
  high: read.number(counts, 'high'),
  medium: read.number(counts, 'medium'),
  low: read.number(counts, 'low'),
})

function readScore(
  read: Facts,
  root: Located | undefined,
  decisive: Record<Severity, number>,
  diagnoses: StateDetails['diagnoses'],
  fixes: StateDetails['fixes'],
): StateDetails['score'] {
  const applied = fixes.flatMap((fix) => fix.applied)
  const passed = applied.filter(({ verification }) => verification.value === 'pass').length
  const done = diagnoses.filter(({ status, state }) => status.value !== null || state === 'done').length
  const iterations = numberOf(field(root, 'iteration_count')) ?? 0
  return {
    recorded: read.number(root, 'quality_score'),
    gate: read.text(root, 'quality_gate'),
    health: healthScore(decisive),
    composite: compositeScore(decisive, done, { applied: applied.length, passed }, iterations),
  }
}

const readAnalysis = (read: Facts, analysis: Located | undefined): StateDetails['analysis'] => ({
  type: read.text(analysis, 'type'),
  status: read.text(analysis, 'status'),
  startedAt: read.time(analysis, 'started_at'),
  error: read.text(analysis, 'error'),
})

const readRequirements = (read: Facts, requirements: Located | undefined): StateDetails['requirements'] => ({
  status: read.text(requirements, 'status'),
  unclear: itemsOf(field(requirements, 'ambiguities')).map((node) =>
    node.kind === 'map' ? read.text(node, 'question', 'description') : read.text(node),
  ),
})

export const isDecisive = ({ confidence }: Pick<Issue, 'confidence'>): boolean => confidence.value !== 'low'

function countSeverities(issues: readonly Issue[]): Record<Severity, number> {
  const counts = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const { severity } of issues) {
    const known = severities.find((word) => word === severity.value)
    if (known) counts[known]++
  }
  return counts
}

function readDiagnoses(read: Facts, root: Located | undefined, focus: readonly string[]): Diagnosis[] {
  const diagnosis = field(root, 'diagnosis')
  const added = entriesOf(diagnosis).flatMap(([area]) => (diagnosisAreas.some((known) => known === area) ? [] : [area]))
  return [...diagnosisAreas, ...added].map((area) => readDiagnosis(read, area, at(diagnosis, area), focus))
}

function readDiagnosis(read: Facts, area: string, node: Located | undefined, focus: readonly string[]): Diagnosis {
  const details = field(node, 'details')
  const status = read.text(node, 'status')
  return {
    area,
    state: diagnosisState(node, status.value, focus.length === 0 || focus.includes(area)),
    status,
    severity: read.text(node, 'severity'),
    issuesFound: read.number(node, 'issues_found'),
    milliseconds: read.number(node, 'execution_time_ms'),
    patternsChecked: read.texts(details, 'patterns_checked'),
    patternsMatched: read.texts(details, 'patterns_matched'),
    evidence: itemsOf(field(details, 'evidence')).map((item) => ({
      file: read.text(item, 'file'),
      line: read.number(item, 'line'),
      pattern: read.text(item, 'pattern'),
      context: read.text(item, 'context'),
      severity: read.text(item, 'severity'),
    })),
    recommendations: read.texts(details, 'recommendations'),
  }
}

function diagnosisState(node: Located | undefined, status: string | null, wanted: boolean): Diagnosis['state'] {
  if (!node || isNull(node)) return wanted ? 'open' : 'skipped'
  if (status === 'completed') return 'done'
  return status === 'skipped' || status === 'failed' ? status : 'unknown'
}

function readIssue(read: Facts, node: Located, index: number): Issue {
  const location = field(node, 'location')
  const files =
    location?.kind === 'scalar'
      ? read.texts(node, 'location')
      : [...read.texts(location, 'file'), ...read.texts(location, 'files')]
  const id = read.text(node, 'id')
  return {
    key: `${index}:${id.value ?? ''}`,
    id,
    type: read.text(node, 'type'),
    severity: read.text(node, 'severity'),
    confidence: read.text(node, 'confidence'),
    priority: read.number(node, 'priority'),
    files,
    lineStart: read.number(location, 'line_start'),
    lineEnd: read.number(location, 'line_end'),
    phase: read.text(location, 'phase'),
    description: read.text(node, 'description'),
    evidence: read.texts(node, 'evidence'),
    rootCause: read.text(node, 'root_cause'),
    impact: read.text(node, 'impact'),
    suggestedFix: read.text(node, 'suggested_fix'),
    related: read.texts(node, 'related_issues'),
  }
}

function readFixes(read: Facts, root: Located | undefined): Fix[] {
  const proposed = itemsOf(field(root, 'proposed_fixes'))
  const applied = new Map<string, Located[]>()
  for (const node of itemsOf(field(root, 'applied_fixes'))) {
    const id = textOf(field(node, 'fix_id')) ?? ''
    const same = applied.get(id)
    if (same) same.push(node)
    else applied.set(id, [node])
  }
  const pending = new Set(itemsOf(field(root, 'pending_fixes')).map(textOf))
  const known = new Set(proposed.map((node) => textOf(field(node, 'id'))))
  const others = [...applied].filter(([id]) => !known.has(id)).flatMap(([, [first]]) => (first ? [first] : []))
  return [...proposed, ...others].map((node, index) => {
    const id = read.text(node, 'id', 'fix_id')
    return {
      key: `${index}:${id.value ?? ''}`,
      id,
      issues: read.texts(node, 'issue_ids'),
      strategy: read.text(node, 'strategy'),
      description: read.text(node, 'description'),
      rationale: read.text(node, 'rationale'),
      risk: read.text(node, 'risk'),
      impact: read.text(node, 'estimated_impact'),
      verification: read.texts(node, 'verification_steps'),
      changes: itemsOf(field(node, 'changes')).map((change) => ({
        file: read.text(change, 'file'),
        action: read.text(change, 'action'),
        diff: read.text(change, 'diff'),
        before: read.text(change, 'old_content'),
        after: read.text(change, 'new_content'),
      })),
      pending: id.value !== null && pending.has(id.value),
      applied: (applied.get(id.value ?? '') ?? []).map((entry) => readApplied(read, entry)),
    }
  })
}

function readApplied(read: Facts, node: Located): AppliedFix {
  return {
    at: read.time(node, 'applied_at'),
    success: read.boolean(node, 'success'),
    backup: read.text(node, 'backup_path'),
    verification: read.text(node, 'verification_result'),
    canRollBack: read.boolean(node, 'rollback_available'),
    changed: itemsOf(field(node, 'changes_made')).map((change) => ({
      file: read.text(change, 'file'),
      action: read.text(change, 'action'),
      backup: read.text(change, 'backup'),
    })),
  }
}

function readHistory(read: Facts, node: Located): HistoryEntry {
  const action = node.kind === 'scalar' ? read.text(node) : read.text(node, 'action')
  return {
    action,
    startedAt: read.time(node, 'started_at'),
    completedAt: read.time(node, 'completed_at'),
    result: read.text(node, 'result'),
    outputs: read.texts(node, 'output_files'),
  }
}
