import { isCommitName } from '@shared/commitName'
import { Checks } from '../checks'
import { fileFinding, type Finding } from '../finding'
import type { RunFiles } from '../format'
import { within } from '../listing'
import {
  booleanOf,
  field,
  itemsOf,
  numberOf,
  stringOf,
  textOf,
  type Located,
  type LocatedDocument,
} from '../text/located'
import { contradictions } from './contradictions'
import {
  cursorOf,
  fieldNames,
  locate,
  maxGapRetries,
  planOf,
  tasksOf,
  type Artefact,
  type State,
  type TaskNode,
} from './state'

export function validate(files: RunFiles): Finding[] {
  const state = locate(files)
  const checks = new Checks('metashell')
  checkContext(checks, state, files)
  const tasks = tasksOf(state)
  if (state.session) checkSession(checks, state.session, state, tasks)
  if (state.config) checkConfig(checks, state.config)
  // Summaries of earlier phases stay, and do not name their phase.
  const isFirst = (numberOf(field(state.session?.root, ...fieldNames.currentPhase)) ?? 1) <= 1
  const ids = new Set(isFirst ? tasks.map(({ id }) => id) : [])
  for (const artefact of state.artefacts) artefactChecks[artefact.kind](checks, artefact, ids)
  comparePlans(checks, state, tasks)
  if (state.lock !== undefined)
    checks.findings.push(
      fileFinding(state.lock, 'metashell/lock', 'info', 'a lock', 'none, unless a host is writing now'),
    )
  return [...contradictions(state, tasks), ...checks.findings]
}

function checkContext({ findings }: Checks, { context }: State, { candidate: { folder }, listing }: RunFiles): void {
  const path = within(folder, '.meta/context.md')
  if (!listing.hasFile(path))
    findings.push(
      fileFinding(
        path,
        'metashell/context',
        'error',
        'no file',
        'the context of the project: without it nothing starts',
      ),
    )
  if (!context) return
  const h1 = context.lines.find((line) => line.kind === 'heading' && line.level === 1)
  if (h1?.kind !== 'heading' || !/^project\s*:\s*\S/i.test(h1.text)) {
    findings.push(
      context.text.finding(
        h1 ?? { start: context.text.start, end: context.text.start },
        'metashell/context',
        'warning',
        'a first heading “# Project: <name>”',
        h1 ? {} : { found: 'none' },
      ),
    )
  }
}

const statuses = ['planning', 'executing', 'verifying', 'halted'] as const
const taskStatuses = ['pending', 'complete', 'failed'] as const
const sessionFields: ReadonlySet<string> = new Set([
  'status',
  'plan',
  'variables',
  'tasks',
  'retry_count',
  ...Object.values(fieldNames).flat(),
])
const planFields: ReadonlySet<string> = new Set(['tasks', ...fieldNames.currentTaskIdx])
const taskFields: ReadonlySet<string> = new Set(['id', 'title', 'status', 'commits', ...fieldNames.dependencies])

function checkSession(checks: Checks, session: LocatedDocument, state: State, tasks: readonly TaskNode[]): void {
  const root = checks.map(session, session.root, 'session')
  if (!root) return
  for (const { name, key } of state.dotted)
    checks.findings.push(
      session.text.finding(key, 'metashell/dotted-key', 'warning', 'a field inside another', {
        found: `the literal key “${name}”`,
      }),
    )
  checks.string(session, checks.required(session, root, ...fieldNames.sessionId), 'session-id')
  const status = checks.oneOf(session, checks.required(session, root, 'status'), 'status', statuses)
  checks.integer(session, checks.required(session, root, ...fieldNames.currentPhase), 'current-phase', { min: 1 })
  const gapNode = checks.required(session, root, ...fieldNames.gapCount)
  const gaps = checks.integer(session, gapNode, 'gap-count', { min: 0 })
  if (gaps !== undefined && gaps > maxGapRetries(state))
    checks.add(
      session,
      gapNode,
      'gap-count',
      'warning',
      `at most ${maxGapRetries(state)}, where the circuit breaker halts`,
    )
  checks.map(session, checks.required(session, root, 'variables'), 'variables')
  checks.unknownFields(session, root, sessionFields)

  const plan = checks.map(session, field(root, 'plan'), 'plan')
  if (plan) checkSessionPlan(checks, session, plan, tasks, status)
  else if (status === 'executing' || status === 'verifying')
    checks.add(session, field(root, 'status'), 'plan-missing', 'error', `a plan, as the status is “${status}”`, {
      found: 'none',
    })
}

function checkSessionPlan(
  checks: Checks,
  session: LocatedDocument,
  plan: Located,
  tasks: readonly TaskNode[],
  status: (typeof statuses)[number] | undefined,
): void {
  const { root } = session
  checks.unknownFields(session, plan, planFields)
  checks.list(session, checks.required(session, plan, 'tasks'), 'tasks', 'tasks')
  if (field(root, ...fieldNames.currentTaskIdx))
    checks.add(session, cursorOf(root), 'cursor-place', 'warning', '“currentTaskIdx” inside “plan”')
  else checks.required(session, plan, ...fieldNames.currentTaskIdx)
  const max = itemsOf(field(plan, 'tasks')).length
  const cursor = checks.integer(session, cursorOf(root), 'cursor', { min: 0, max })
  checkTasks(checks, session, tasks, cursor)
  const failed = tasks.find(({ status: own }) => stringOf(own?.node) === 'failed')
  if (failed && (status === 'executing' || status === 'verifying'))
    checks.add(
      session,
      failed.status?.node,
      'impossible-state',
      'warning',
      `no failed task while the status is “${status}”: a failure halts`,
    )
  if (status === 'verifying' && cursor !== undefined && cursor < tasks.length)
    checks.add(
      session,
      cursorOf(root),
      'impossible-state',
      'warning',
      `${tasks.length}, the number of tasks, as the status is “verifying”`,
    )
}

function checkTasks(
  checks: Checks,
  session: LocatedDocument,
  tasks: readonly TaskNode[],
  cursor: number | undefined,
): void {
  const firstAt = new Map<string, number>()
  tasks.forEach(({ id }, index) => firstAt.has(id) || firstAt.set(id, index))
  tasks.forEach((task, index) => {
    const { node, id } = task
    if (!checks.map(session, node, 'task')) return
    checks.unknownFields(session, node, taskFields)
    const idNode = checks.required(session, node, 'id')
    checks.string(session, idNode, 'task-id')
    if (idNode && firstAt.get(id) !== index)
      checks.add(session, idNode, 'task-id-unique', 'error', 'an id that no other task has')
    checks.string(session, checks.required(session, node, 'title'), 'task-title')
    const status = checks.oneOf(session, checks.required(session, node, 'status'), 'task-status', taskStatuses)
    checks.strings(session, checks.required(session, node, ...fieldNames.dependencies), 'dependencies', 'task ids')
    for (const commit of checks.strings(session, field(node, 'commits'), 'commits', 'commit hashes')) {
      if (commit.value.trim() !== '' && !isCommitName(commit.value))
        checks.add(session, commit.node, 'commits', 'warning', 'a commit’s hash')
    }
    for (const dependency of task.dependencies) {
      const at = firstAt.get(dependency.id)
      if (at === undefined) checks.add(session, dependency.node, 'dependency-exists', 'error', 'the id of a task')
      else if (at >= index)
        checks.add(
          session,
          dependency.node,
          'topology',
          'error',
          'a task that stands before this one: tasks run in the order of the list',
        )
      else if (status === 'complete' && stringOf(tasks[at]?.status?.node) !== 'complete')
        checks.add(
          session,
          dependency.node,
          'dependency-complete',
          'error',
          'a complete task, as the one that needs it is complete',
        )
    }
    if (cursor !== undefined && index < cursor && status !== undefined && status !== 'complete')
      checks.add(session, task.status?.node, 'before-cursor', 'warning', '"complete", as the cursor is past it')
    if (cursor !== undefined && index > cursor && status === 'complete')
      checks.add(session, task.status?.node, 'after-cursor', 'warning', '"pending", as the cursor is before it')
  })
}

function checkConfig(checks: Checks, config: LocatedDocument): void {
  const root = checks.map(config, config.root, 'config')
  checks.integer(config, field(root, 'max_gap_retries'), 'config', { min: 0 })
  const timeouts = checks.map(config, field(root, 'timeouts'), 'config')
  for (const name of ['planner', 'executor', 'verifier'])
    checks.integer(config, field(timeouts, name), 'config', { min: 1 })
  const paths = checks.map(config, field(root, 'paths'), 'config')
  for (const name of ['context', 'artifacts']) checks.string(config, field(paths, name), 'config')
}

type ArtefactCheck = (checks: Checks, artefact: Artefact, taskIds: ReadonlySet<string>) => void

const artefactChecks: Readonly<Record<Artefact['kind'], ArtefactCheck>> = {
  plan(checks, { document }) {
    const root = checks.map(document, document.root, 'plan')
    if (!root) return
    checks.string(document, checks.required(document, root, 'phase_id'), 'plan')
    const ids = new Set<string>()
    for (const task of checks.list(document, checks.required(document, root, 'tasks'), 'plan', 'tasks')) {
      if (!checks.map(document, task, 'plan')) continue
      const id = checks.string(document, checks.required(document, task, 'id'), 'task-id')
      checks.string(document, checks.required(document, task, 'title'), 'task-title')
      if (id !== undefined && ids.has(id))
        checks.add(document, field(task, 'id'), 'task-id-unique', 'error', 'an id that no other task has')
      for (const { node, value } of checks.strings(
        document,
        checks.required(document, task, ...fieldNames.dependencies),
        'dependencies',
        'task ids',
      )) {
        if (!ids.has(value))
          checks.add(document, node, 'topology', 'error', 'the id of a task that stands before this one')
      }
      if (id !== undefined) ids.add(id)
      const fileCount = itemsOf(field(task, 'files')).length
      if (fileCount > 3)
        checks.add(document, field(task, 'files'), 'context-budget', 'warning', 'at most 3 files for a task', {
          found: `${fileCount} files`,
        })
    }
  },

  summary(checks, { document, taskId }, taskIds) {
    const root = checks.map(document, document.root, 'summary')
    if (!root) return
    const node = checks.required(document, root, 'task_id')
    const id = checks.string(document, node, 'summary')
    if (id !== undefined && id !== taskId)
      checks.add(document, node, 'summary-name', 'warning', `“${taskId ?? ''}”, as the file’s name says`)
    else if (id !== undefined && taskIds.size > 0 && !taskIds.has(id))
      checks.add(document, node, 'summary-task', 'warning', 'the id of a task of this phase')
    checks.oneOf(document, checks.required(document, root, 'status'), 'summary-status', [
      'complete',
      'failed',
      'blocked',
      'checkpoint',
      'timeout',
    ])
    checks.map(document, checks.required(document, root, 'verification_result'), 'summary')
  },

  verification(checks, { document }) {
    const root = checks.map(document, document.root, 'verification')
    if (!root) return
    checks.string(document, checks.required(document, root, 'phase_id'), 'verification')
    const passed = checks.required(document, root, 'passed')
    if (passed && booleanOf(passed) === undefined)
      checks.add(document, passed, 'verification', 'error', 'true or false')
    for (const check of checks.list(document, field(root, 'checks'), 'verification', 'checks'))
      checks.oneOf(document, field(check, 'verdict'), 'verdict', ['pass', 'fail'])
    const gaps = checks.list(document, field(root, 'gaps'), 'verification', 'gaps')
    if (booleanOf(passed) === false && gaps.length === 0)
      checks.add(document, passed, 'gaps', 'warning', 'gaps to plan again with, as it did not pass', { found: 'none' })
  },

  research(checks, { document }) {
    const root = checks.map(document, document.root, 'research')
    checks.list(document, field(root, 'knowledge'), 'research', 'what was found')
  },
}

function comparePlans(checks: Checks, state: State, tasks: readonly TaskNode[]): void {
  const document = planOf(state)?.document
  const own = field(field(state.session?.root, 'plan'), 'tasks')
  const phase = numberOf(field(state.session?.root, ...fieldNames.currentPhase))
  const planPhase = numberOf(field(document?.root, 'phase_id'))
  // The plan of an earlier phase stays until the next is planned.
  if (!document || !own || !state.session || (phase !== undefined && planPhase !== undefined && phase !== planPhase))
    return
  const ids = (nodes: readonly Located[]) => new Set(nodes.flatMap((node) => textOf(field(node, 'id')) ?? []))
  const planned = ids(itemsOf(field(document.root, 'tasks')))
  const running = ids(tasks.map(({ node }) => node))
  for (const { node, id } of tasks)
    if (!planned.has(id))
      checks.add(state.session, field(node, 'id'), 'plans-agree', 'warning', `a task of ${document.file}`)
  for (const task of itemsOf(field(document.root, 'tasks'))) {
    const id = textOf(field(task, 'id'))
    if (id !== undefined && !running.has(id))
      checks.add(document, field(task, 'id'), 'plans-agree', 'warning', `a task of ${state.session.file}`)
  }
}
