import { Checks } from '../checks'
import { fileFinding, quote, type Finding, type Repair } from '../finding'
import type { RunFiles } from '../format'
import { nameOf, within } from '../listing'
import { field, stringOf, type Located, type LocatedDocument } from '../text/located'
import type { HeadingLine } from '../text/markdown'
import { contradictions } from './contradictions'
import { firstOf, places } from './detect'
import { emoji, phaseSlug, slug } from './heading'
import type { MarkdownFile } from './markdownFile'
import type { Phase } from './phases'
import type { Question } from './questions'
import {
  humanGates,
  isProject,
  limitOf,
  locate,
  manifestPhaseKeys,
  maxCost,
  maxIterations,
  phaseName,
  type State,
} from './state'

export function validate(files: RunFiles): Finding[] {
  const state = locate(files)
  if (!isProject(files, state)) return []
  const checks = new Checks('ncrew')
  checkIndex(checks, state, files)
  checkTasks(checks, state, files)
  for (const question of state.questions) checkQuestion(checks, question)
  if (state.manifest) checkManifest(checks, state, state.manifest)
  const marker = state.complete === undefined ? undefined : files.files.get(state.complete)
  if (marker?.text) checks.findings.push(fileFinding(marker.path, 'ncrew/complete', 'info', 'a text', 'an empty file'))
  if (state.lock !== undefined)
    checks.findings.push(fileFinding(state.lock, 'ncrew/lock', 'info', 'a lock', 'none, unless a host runs now'))
  return [...contradictions(state), ...checks.findings]
}

function checkIndex(checks: Checks, state: State, { candidate: { folder }, listing }: RunFiles): void {
  const { index } = state
  const path = within(folder, 'INDEX.md')
  if (!listing.hasFile(path))
    checks.findings.push(fileFinding(path, 'ncrew/index', 'error', 'no file', 'the state of the project'))
  if (!index) return
  if (!hasFrontMatter(checks, index, 'error')) return
  const { document } = index.front
  const root = checks.map(document, document.root, 'index')
  if (!root) return
  checks.oneOf(document, checks.required(document, root, 'type'), 'type', ['project'])
  const status = checks.required(document, root, 'status')
  // The templates contain `not_started`, which the specification does not have.
  if (stringOf(status) === 'not_started')
    checks.add(document, status, 'status', 'info', 'in_progress, blocked or complete')
  else checks.oneOf(document, status, 'status', ['in_progress', 'blocked', 'complete'])
  const phase = checks.required(document, root, 'current_phase')
  const name = checks.string(document, phase, 'current-phase')
  const known = knownPhases(state)
  if (name !== undefined && known.size > 0 && !known.has(phaseSlug(name)))
    checks.add(document, phase, 'current-phase', 'error', `one of ${[...known].slice(0, 12).join(', ')}`)
  const iterationNode = checks.required(document, root, 'current_iteration')
  const iteration = checks.integer(document, iterationNode, 'current-iteration', { min: 0 })
  if (iteration !== undefined && iteration > maxIterations(state))
    checks.add(document, iterationNode, 'current-iteration', 'warning', `at most ${maxIterations(state)}`)
  const costNode = checks.required(document, root, 'cost_so_far')
  const cost = checkAmount(checks, document, costNode, 'cost-so-far')
  if (cost !== undefined && cost > maxCost(state))
    checks.add(document, costNode, 'cost-so-far', 'warning', `at most ${maxCost(state)}`)
  for (const time of ['created', 'updated']) checkTime(checks, document, checks.required(document, root, time))
  checkCounts(checks, state, index, iteration)
}

const knownPhases = (state: State): ReadonlySet<string> =>
  new Set([...manifestPhaseKeys(state), ...state.phases.map(({ key }) => key)])

function hasFrontMatter(
  checks: Checks,
  { front: { syntax, document }, text }: MarkdownFile,
  severity: 'error' | 'info',
): boolean {
  if (syntax === 'none')
    checks.findings.push(
      text.finding(
        { start: text.start, end: text.start },
        'ncrew/front-matter',
        severity,
        'front matter between two lines of ---',
        { found: 'none' },
      ),
    )
  return syntax !== 'none' && document.root !== undefined
}

function checkAmount(
  checks: Checks,
  document: LocatedDocument,
  node: Located | undefined,
  rule: string,
): number | undefined {
  const amount = node?.kind === 'scalar' && typeof node.value === 'number' && node.value >= 0 ? node.value : undefined
  if (node && amount === undefined) checks.add(document, node, rule, 'error', 'a number from 0 on')
  return amount
}

function checkTime(checks: Checks, document: LocatedDocument, node: Located | undefined): void {
  const text = stringOf(node)
  if (
    node &&
    (text === undefined ||
      !/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text) ||
      Number.isNaN(Date.parse(text)))
  )
    checks.add(document, node, 'time', 'error', 'a date or time of ISO 8601')
}

function checkCounts(
  checks: Checks,
  { phases }: State,
  { lines, text }: MarkdownFile,
  iteration: number | undefined,
): void {
  const tasks = phases.flatMap((phase) => phase.tasks)
  const done = tasks.filter(({ line }) => line.checked).length
  for (const line of lines) {
    if (line.kind !== 'text' || line.fenced) continue
    const [, a, b] = /\bprogress\b[^\d]{0,12}(\d{1,6})\s*\/\s*(\d{1,6})\s*tasks?\b/i.exec(line.text) ?? []
    if (a !== undefined && tasks.length > 0 && (Number(a) !== done || Number(b) !== tasks.length))
      checks.findings.push(
        text.finding(line, 'ncrew/counts', 'warning', `${done}/${tasks.length} tasks, as tasks.md says`),
      )
    const [, turn] = /\biteration\b[^\d]{0,12}(\d{1,6})\s*\/\s*\d{1,6}/i.exec(line.text) ?? []
    if (turn !== undefined && iteration !== undefined && Number(turn) !== iteration)
      checks.findings.push(text.finding(line, 'ncrew/counts', 'warning', `${iteration}, as “current_iteration” says`))
  }
}

function checkTasks(checks: Checks, state: State, { candidate: { folder }, files }: RunFiles): void {
  const { tasks, phases, outside } = state
  if (!tasks) {
    if (!firstOf(places.tasks, folder, files))
      checks.findings.push(
        fileFinding(within(folder, 'tasks.md'), 'ncrew/tasks', 'error', 'no file', 'the list of tasks'),
      )
    return
  }
  const {
    text,
    front: { document },
  } = tasks
  if (hasFrontMatter(checks, tasks, 'info')) {
    checks.string(document, field(document.root, 'project'), 'project')
    checkTime(checks, document, field(document.root, 'updated'))
  }
  const unlisted = (heading: HeadingLine) =>
    text.finding(heading, 'ncrew/phase-known', 'warning', `a phase of ${state.manifest?.file ?? 'the manifest'}`)
  for (const { heading, boxes, isLikePhase } of outside)
    if (heading && isLikePhase)
      checks.findings.push(
        boxes.length > 0
          ? unlisted(heading)
          : text.finding(heading, 'ncrew/phase-empty', 'warning', 'a task below the phase'),
      )
  const names = new Set<string>()
  const known = new Set(manifestPhaseKeys(state))
  for (const phase of phases) {
    const { heading, name } = phase
    if (names.has(slug(name)))
      checks.findings.push(text.finding(heading, 'ncrew/phase-unique', 'error', 'a phase that is there once'))
    names.add(slug(name))
    if (phase.claimed === undefined)
      checks.findings.push(
        text.finding(
          heading,
          'ncrew/heading',
          'warning',
          '“## <Name> Phase” with ✅ COMPLETE, 🔄 IN PROGRESS or ⏳ PENDING',
        ),
      )
    if (known.size > 0 && !known.has(slug(name))) checks.findings.push(unlisted(heading))
    checkMojibake(checks, tasks, phase)
    for (const { line } of phase.tasks)
      if (!line.checked && line.written.trim() !== '')
        checks.findings.push(
          text.finding(line, 'ncrew/task-mark', 'warning', '[ ] or [x]', { found: quote(`[${line.written}]`) }),
        )
  }
}

/** An emoji in UTF-8 read as Windows-1252 or -1254 starts so. */
const broken = /(?<=\s)(?:[âğð][^\sA-Za-z0-9]+|\uFFFD+)(?=\s|$)/

function checkMojibake(checks: Checks, { text }: MarkdownFile, { heading, claimed }: Phase): void {
  const line = text.text.slice(heading.start, heading.end)
  const match = broken.exec(line)
  if (!match) return
  const start = heading.start + match.index
  const repair: Repair | undefined = claimed && {
    title: `Write ${emoji[claimed]}`,
    edits: [{ offset: start, length: match[0].length, text: emoji[claimed] }],
  }
  checks.findings.push(
    text.finding(
      { start, end: start + match[0].length },
      'ncrew/mojibake',
      'warning',
      claimed ? emoji[claimed] : 'an emoji',
      repair ? { repair } : {},
    ),
  )
}

function checkQuestion(checks: Checks, { file, status, decisionLine }: Question): void {
  const {
    text,
    front: { document },
  } = file
  if (!/^.+-\d+-.+\.md$/.test(nameOf(text.path)))
    checks.findings.push(
      fileFinding(
        text.path,
        'ncrew/question-name',
        'warning',
        `the name ${nameOf(text.path)}`,
        '{expert}-{number}-{topic}.md',
      ),
    )
  if (!hasFrontMatter(checks, file, 'error')) return
  checks.string(document, checks.required(document, document.root, 'from'), 'from')
  checks.oneOf(document, checks.required(document, document.root, 'to'), 'to', ['user'], 'warning')
  checks.oneOf(document, checks.required(document, document.root, 'type'), 'question-type', ['blocker'], 'warning')
  checks.oneOf(document, checks.required(document, document.root, 'status') && status, 'question-status', [
    'pending',
    'resolved',
  ])
  checkTime(checks, document, checks.required(document, document.root, 'created'))
  if (!decisionLine)
    checks.findings.push(
      text.finding(
        { start: file.front.bodyStart, end: file.front.bodyStart },
        'ncrew/answer',
        'error',
        'a line **Decision:** for the answer',
        { found: 'none' },
      ),
    )
}

function checkManifest(checks: Checks, state: State, manifest: LocatedDocument): void {
  const root = checks.map(manifest, manifest.root, 'manifest')
  if (!root) return
  const execution = field(root, 'execution')
  if (limitOf(state, 'max_iterations') && !field(execution, 'max_iterations'))
    checks.add(
      manifest,
      limitOf(state, 'max_iterations'),
      'field-place',
      'warning',
      '“max_iterations” inside “execution”',
    )
  checks.integer(manifest, limitOf(state, 'max_iterations'), 'manifest', { min: 1 })
  checkAmount(checks, manifest, limitOf(state, 'max_cost'), 'manifest')
  checks.oneOf(
    manifest,
    field(field(root, 'workflow'), 'task_selection'),
    'manifest',
    ['first_unchecked', 'priority_weighted'],
    'warning',
  )
  const phases = checks.list(manifest, checks.required(manifest, root, 'phases'), 'manifest', 'phases')
  const slugs = new Set(phases.flatMap((node) => phaseSlug(phaseName(node) ?? '') || []))
  for (const gate of humanGates(state))
    if (!slugs.has(phaseSlug(phaseName(gate) ?? ''))) checks.add(manifest, gate, 'gate-exists', 'error', 'a phase')
  const served = new Set<string>()
  for (const { role, phase, source } of state.experts) {
    if (phase === undefined)
      checks.findings.push({
        ...fileFinding(source.file, 'ncrew/expert-phase', 'error', `the expert “${role}” without a phase`, 'a phase'),
        line: source.line ?? 1,
      })
    else if (slugs.size > 0 && !slugs.has(phaseSlug(phase)))
      checks.findings.push({
        ...fileFinding(
          source.file,
          'ncrew/expert-phase',
          'error',
          `“${phase}”, the phase of ${role}`,
          'a phase of the list',
        ),
        line: source.line ?? 1,
      })
    else served.add(phaseSlug(phase))
  }
  for (const node of phases) {
    const name = phaseSlug(phaseName(node) ?? '')
    if (name !== '' && !served.has(name))
      checks.add(manifest, node, 'phase-expert', 'error', 'a phase that an expert works on')
  }
}
