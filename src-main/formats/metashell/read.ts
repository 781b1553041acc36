import type { Reading, RunFiles } from '../format'
import { booleanOf, field, itemsOf, numberOf, stringOf, textOf, type Located } from '../text/located'
import type {
  Fact,
  RunArtefact,
  RunError,
  RunMeter,
  RunNeed,
  RunState,
  ValueSource,
  WorkState,
} from '@shared/contract/orchestration'
import { unknown, type PhaseView, type TaskView } from '../run'
import { contradictions } from './contradictions'
import { detailsOf, type MetaShellDetails } from './details'
import {
  cursorOf,
  DEFAULT_MAX_GAP_RETRIES,
  fieldNames,
  locate,
  maxGapRetries,
  maxGapRetriesOf,
  tasksOf,
  variable,
  verificationOf,
  type State,
  type TaskNode,
} from './state'

export function read(files: RunFiles): Reading<MetaShellDetails> {
  const state = locate(files)
  const { session } = state
  const tasks = tasksOf(state)
  const root = session?.root
  const cursor = session ? session.fact(cursorOf(root), numberOf) : unknown()
  const status = stringOf(field(root, 'status'))
  const { value, reason } = runState(state, status, tasks, cursor)
  const statusNode = field(root, 'status')
  const current = currentPhase(state)
  const taskViews = tasks.map((task, index) => taskView(state, task, index, status, cursor))
  const folder = files.candidate.folder
  const sessionFile = session && files.files.get(session.file)
  return {
    view: {
      system: 'metashell',
      key: `metashell:${folder}`,
      folder,
      archived: files.candidate.archived,
      id: session ? session.fact(field(root, ...fieldNames.sessionId), textOf) : unknown(),
      title: title(state),
      state: {
        value,
        source: statusNode && session ? session.source(statusNode) : null,
        ...(status === undefined ? {} : { written: status }),
      },
      reason,
      updatedAt: session && sessionFile ? { value: sessionFile.modifiedAt, source: { file: session.file } } : unknown(),
      currentPhase: current,
      phases: phases(state, current, value, taskViews),
      needs: needs(state, value, reason, tasks, cursor, sessionFile?.modifiedAt ?? null),
      meters: session ? [gapMeter(state)] : [],
      errors: errors(state, tasks),
      artefacts: artefactViews(state, files),
    },
    details: detailsOf(state, cursor),
    findings: contradictions(state, tasks),
  }
}

const PROJECT = /^project\s*:\s*/i

function title({ context }: State): Fact<string> {
  const heading = context?.lines.find((line) => line.kind === 'heading' && line.level === 1)
  if (!context || heading?.kind !== 'heading') return unknown(context ? { file: context.text.path } : null)
  return {
    value: heading.text.replace(PROJECT, ''),
    source: { file: context.text.path, line: heading.line },
    written: heading.text,
  }
}

/** What `halted` means is written nowhere in the format: the variables, the tasks and the artefacts tell. */
function runState(
  state: State,
  status: string | undefined,
  tasks: readonly TaskNode[],
  cursor: Fact<number>,
): { value: RunState | null; reason: Fact<string> } {
  const { session } = state
  const none = unknown()
  if (!session) return { value: null, reason: { value: 'No session yet.', source: null } }
  if (status === 'planning') return { value: 'planning', reason: none }
  if (status === 'executing') return { value: 'running', reason: none }
  if (status === 'verifying') return { value: 'running', reason: { value: 'Verifying the results.', source: null } }
  if (status !== 'halted') return { value: null, reason: none }
  const because = (value: RunState, node: Located | undefined, text: string, document = session) => ({
    value,
    reason: { value: text, source: node ? document.source(node) : null },
  })

  const checkpoint = pendingCheckpoint(state, tasks, cursor)
  if (checkpoint) return { value: 'waiting', reason: { value: checkpoint.message, source: checkpoint.source } }
  const failed = tasks.find(({ status: own }) => stringOf(own?.node) === 'failed')
  const lastError = variable(state, 'last_error')
  if (failed)
    return because(
      'failed',
      failed.status?.node ?? failed.node,
      `Task ${failed.id} failed${lastError ? `: ${textOf(lastError) ?? 'see last_error'}` : ''}.`,
      failed.status?.document,
    )
  const verification = verificationOf(state)
  const passed = field(verification?.document.root, 'passed')
  const gaps = field(session.root, ...fieldNames.gapCount)
  const lastFailed = variable(state, 'last_verification_failed')
  const allDone = tasks.length > 0 && cursor.value === tasks.length
  if (allDone && booleanOf(passed) === true)
    return because(
      hasNextPhase(state) ? 'gate' : 'done',
      passed,
      'The phase is complete: its verification passed.',
      verification?.document,
    )
  if (
    (numberOf(gaps) ?? 0) >= maxGapRetries(state) &&
    (booleanOf(passed) === false || booleanOf(lastFailed) === true)
  ) {
    return because('limit', gaps, `Verification failed after ${numberOf(gaps) ?? 0} re-plans, the maximum.`)
  }
  const here = tasks[cursor.value ?? -1]
  const open = here?.dependencies.find(({ id }) =>
    tasks.some((task) => task.id === id && stringOf(task.status?.node) !== 'complete'),
  )
  if (here && open)
    return because('waiting', open.node, `Task ${here.id} needs ${open.id}, which is not complete.`, here.document)
  const summary = here && state.summaries.get(here.id)
  const outcome = field(summary?.root, 'status')
  if (here && (stringOf(outcome) === 'blocked' || stringOf(outcome) === 'timeout')) {
    const message = textOf(field(summary?.root, 'message', 'notes'))
    return because(
      'waiting',
      outcome,
      `Task ${here.id} ${stringOf(outcome) === 'timeout' ? 'ran out of time' : 'is blocked'}${message === undefined ? '' : `: ${message}`}.`,
      summary,
    )
  }
  // Our host writes a sentence beside its code.
  const told = variable(state, 'last_error') ?? variable(state, 'halt_reason')
  return { value: 'waiting', reason: session.fact(told, textOf) }
}

interface Checkpoint {
  readonly message: string
  readonly options: readonly string[]
  readonly taskId: string | undefined
  readonly source: ValueSource
}

/** The question that a task stopped with: kept by a host in the variables, or the executor's own answer. */
function pendingCheckpoint(state: State, tasks: readonly TaskNode[], cursor: Fact<number>): Checkpoint | undefined {
  const { session } = state
  const kept = variable(state, 'pending_checkpoint', 'checkpoint')
  const here = tasks[cursor.value ?? -1]
  const summary = here && state.summaries.get(here.id)
  const own =
    summary &&
    (stringOf(field(summary.root, 'status')) === 'checkpoint' || stringOf(field(summary.root, 'type')) === 'checkpoint')
      ? summary.root
      : undefined
  const [document, node] = session && kept?.kind === 'map' ? [session, kept] : summary && own ? [summary, own] : []
  if (!document || !node) return undefined
  return {
    message: textOf(field(node, 'message', 'reason')) ?? 'A task needs a decision.',
    options: itemsOf(field(node, 'options')).flatMap((option) => textOf(option) ?? []),
    taskId: textOf(field(node, 'task_id')) ?? here?.id,
    source: document.source(node),
  }
}

function currentPhase({ session, context }: State): Fact<string> {
  const node = field(session?.root, ...fieldNames.currentPhase)
  if (session && node)
    return session.fact(node, (value) => (numberOf(value) === undefined ? undefined : String(numberOf(value))))
  const focus = context?.lines.find((line) => FOCUS.test(line.kind === 'text' ? line.text : ''))
  const [, number] = FOCUS.exec(focus?.kind === 'text' ? focus.text : '') ?? []
  return context && focus && number !== undefined
    ? { value: String(Number(number)), source: { file: context.text.path, line: focus.line } }
    : unknown()
}

/** `Phase 1: MVP - Core operations`, with its number and title. */
const FOCUS = /^\s*phase\s+(\d{1,6})\s*:\s*(.*)$/i

/** The phases that context.md names: in a numbered list under `Phases`, and in its focus. */
function phaseTitles({ context }: State): Map<number, Fact<string>> {
  const titles = new Map<number, Fact<string>>()
  if (!context) return titles
  let inPhases = false
  for (const line of context.lines) {
    if (line.kind === 'heading') inPhases = /^phases$/i.test(line.text)
    if (line.kind !== 'text' || line.fenced) continue
    const source = { file: context.text.path, line: line.line }
    const [, focus, focused] = FOCUS.exec(line.text) ?? []
    // Its place in the list is the phase's number, whatever number is written.
    if (inPhases && /^\s{0,3}\d{1,9}[.)]\s/.test(line.text))
      titles.set(titles.size + 1, {
        value: line.text
          .replace(/^\s*\d+[.)]\s+/, '')
          .replaceAll('**', '')
          .trim(),
        source,
      })
    else if (focus !== undefined && !titles.has(Number(focus)))
      titles.set(Number(focus), { value: (focused ?? '').trim(), source })
  }
  return titles
}

const hasNextPhase = (state: State): boolean =>
  [...phaseTitles(state).keys()].some((number) => number > Number(currentPhase(state).value ?? Infinity))

const phaseStates: Readonly<Partial<Record<RunState, WorkState>>> = {
  planning: 'active',
  running: 'active',
  waiting: 'active',
  limit: 'failed',
  failed: 'failed',
  gate: 'done',
  done: 'done',
}

/** Only the phase at hand has tasks on disk; what became of those before it is written nowhere. */
function phases(
  state: State,
  current: Fact<string>,
  runState: RunState | null,
  tasks: readonly TaskView[],
): PhaseView[] {
  const titles = phaseTitles(state)
  const here = current.value === null ? undefined : Number(current.value)
  const numbers = [...new Set([...titles.keys(), ...(here === undefined ? [] : [here])])].sort((a, b) => a - b)
  const views = numbers.map((number): PhaseView => ({
    key: String(number),
    title: titles.get(number) ?? unknown(),
    state:
      number === here && runState
        ? { value: phaseStates[runState] ?? null, source: current.source }
        : here !== undefined && number > here
          ? { value: 'todo', source: current.source }
          : unknown(current.source),
    dependencies: [],
    tasks: number === here ? tasks : [],
  }))
  return here === undefined && tasks.length > 0
    ? [...views, { key: '?', title: unknown(), state: unknown(), dependencies: [], tasks }]
    : views
}

function taskView(
  state: State,
  task: TaskNode,
  index: number,
  status: string | undefined,
  cursor: Fact<number>,
): TaskView {
  const { document, node, id } = task
  const commits = field(node, 'commits')
  return {
    key: id,
    title: document.fact(field(node, 'title'), textOf),
    state: taskState(state, task, index, status, cursor),
    dependencies: task.dependencies.map((dependency) => ({
      value: dependency.id,
      source: document.source(dependency.node),
    })),
    ...(commits
      ? {
          commits: document.fact(commits, (list) =>
            list.kind === 'list' ? list.items.flatMap((item) => textOf(item) ?? []) : undefined,
          ),
        }
      : {}),
  }
}

const taskStates: ReadonlyMap<string, WorkState> = new Map([
  ['pending', 'todo'],
  ['complete', 'done'],
  ['failed', 'failed'],
])

function taskState(
  state: State,
  { id, status: own }: TaskNode,
  index: number,
  status: string | undefined,
  cursor: Fact<number>,
): Fact<WorkState> {
  const summary = state.summaries.get(id)
  const outcome = field(summary?.root, 'status')
  const claim = own ?? (summary && outcome ? { document: summary, node: outcome } : undefined)
  const active = status === 'executing' && cursor.value === index
  if (!claim)
    return active
      ? { value: 'active', source: cursor.source }
      : cursor.value !== null && index > cursor.value
        ? { value: 'todo', source: cursor.source }
        : unknown()
  const written = textOf(claim.node)
  const value = taskStates.get(written ?? '') ?? null
  return {
    value: value === 'todo' && active ? 'active' : value,
    source: claim.document.source(claim.node),
    ...(written === undefined ? {} : { written }),
  }
}

function needs(
  state: State,
  value: RunState | null,
  reason: Fact<string>,
  tasks: readonly TaskNode[],
  cursor: Fact<number>,
  modifiedAt: number | null,
): RunNeed[] {
  const { session } = state
  if (!session || (value !== 'waiting' && value !== 'failed' && value !== 'limit' && value !== 'gate')) return []
  const source = reason.source ?? (session.root ? session.source(session.root) : { file: session.file })
  const since: Fact<number> = { value: modifiedAt, source: { file: session.file } }
  const checkpoint = value === 'waiting' ? pendingCheckpoint(state, tasks, cursor) : undefined
  if (checkpoint) {
    const { message, options, taskId } = checkpoint
    return [
      {
        kind: 'question',
        title: message,
        detail: message,
        options,
        source: checkpoint.source,
        since,
        unblocks: taskId === undefined ? [] : [taskId],
      },
    ]
  }
  const detail = reason.value ?? 'The files do not say why.'
  const kind = value === 'failed' ? 'failure' : 'gate'
  const titles = {
    waiting: 'The session halted',
    failed: 'A task failed',
    limit: 'No re-plans left',
    gate: 'Phase complete: start the next one',
  }
  return [{ kind, title: titles[value], detail, options: [], source, since, unblocks: [] }]
}

function gapMeter(state: State): RunMeter {
  const { session, config } = state
  const limit = maxGapRetriesOf(state)
  return {
    name: 'Re-plans after a failed verification',
    unit: 're-plans',
    used: session ? session.fact(field(session.root, ...fieldNames.gapCount), numberOf) : unknown(),
    limit: config && limit ? config.fact(limit, numberOf) : { value: DEFAULT_MAX_GAP_RETRIES, source: null },
  }
}

function errors(state: State, tasks: readonly TaskNode[]): RunError[] {
  const { summaries } = state
  const found = tasks.flatMap(({ id, status }): RunError[] => {
    if (!status || stringOf(status.node) !== 'failed') return []
    const summary = summaries.get(id)
    const told = summary?.fact(
      field(summary.root, 'message', 'notes') ?? field(field(summary.root, 'verification_result'), 'output'),
      textOf,
    )
    const message =
      told && told.value !== null ? told : { value: `Task ${id} failed.`, source: status.document.source(status.node) }
    return [{ message, at: id, time: unknown(), resolved: false }]
  })
  const last = variable(state, 'last_error')
  if (!last || !state.session || textOf(last) === undefined) return found
  return [...found, { message: state.session.fact(last, textOf), at: null, time: unknown(), resolved: null }]
}

function artefactViews({ artefacts }: State, { candidate: { folder }, listing }: RunFiles): RunArtefact[] {
  return artefacts.flatMap(({ kind, document }) => {
    const own: RunArtefact = { kind, path: document.file, exists: true, source: { file: document.file } }
    const changed = itemsOf(field(document.root, 'changes')).flatMap((change): RunArtefact[] => {
      const path = stringOf(field(change, 'file'))
      if (path === undefined) return []
      return [
        {
          kind: textOf(field(change, 'action')) ?? 'changed',
          path,
          exists: listing.hasFile(folder === '' ? path : `${folder}/${path}`),
          source: document.source(change),
        },
      ]
    })
    return [own, ...changed]
  })
}
