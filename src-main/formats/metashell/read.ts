import { checkText, isCheckFailure } from '@shared/hostCheck'
import type { Reading, Remembered, RunFiles } from '../format'
import { field, itemsOf, numberOf, stringOf, textOf } from '../text/located'
import { projectPath } from '../text/namedPath'
import type { Fact, RunArtefact, RunError, RunMeter, RunState, WorkState } from '@shared/contract/orchestration'
import { unknown, type PhaseView, type TaskView } from '../run'
import { checkFindings, checkNeeds, shownCheck } from '../hostChecks'
import { holdNeeds } from '../runHold'
import { turnFindings } from '../turnFindings'
import { checkCommands, openChecks } from './checkCommands'
import { contradictions } from './contradictions'
import { detailsOf, type MetaShellDetails } from './details'
import { readNeeds } from './needs'
import { currentPhase, phaseTitles } from './phases'
import { runState } from './runState'
import {
  cursorOf,
  DEFAULT_MAX_GAP_RETRIES,
  fieldNames,
  locate,
  maxGapRetriesOf,
  tasksOf,
  variable,
  type State,
  type TaskNode,
} from './state'

export function read(files: RunFiles): Reading<MetaShellDetails> {
  const state = locate(files)
  const { remembered } = files
  const { session } = state
  const tasks = tasksOf(state)
  const root = session?.root
  const cursor = session ? session.fact(cursorOf(root), numberOf) : unknown()
  const status = stringOf(field(root, 'status'))
  const { value, reason } = runState(state, status, tasks, cursor)
  const toCheck = checkNeeds(remembered, openChecks(state))
  const held =
    value === 'planning' || value === 'running' ? toCheck.find(({ unblocks }) => unblocks.length > 0) : undefined
  const statusNode = field(root, 'status')
  const current = currentPhase(state)
  const taskViews = tasks.map((task, index): TaskView => {
    const check = shownCheck(remembered, task.id)
    return { ...taskView(state, task, index, status, cursor), ...(check ? { check } : {}) }
  })
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
        value: held ? 'waiting' : value,
        source: statusNode && session ? session.source(statusNode) : null,
        ...(status === undefined ? {} : { written: status }),
      },
      reason: held ? { value: held.title, source: held.source } : reason,
      updatedAt: session && sessionFile ? { value: sessionFile.modifiedAt, source: { file: session.file } } : unknown(),
      currentPhase: current,
      phases: phases(state, current, value, taskViews),
      needs: [
        ...readNeeds(state, value, reason, tasks, cursor, sessionFile?.modifiedAt ?? null),
        ...holdNeeds(remembered, session && { file: session.file }),
        ...toCheck,
      ],
      meters: session ? [gapMeter(state)] : [],
      errors: errors(state, tasks, remembered),
      artefacts: artefactViews(state, files),
    },
    details: detailsOf(state, cursor),
    findings: [
      ...contradictions(state, tasks),
      ...turnFindings(remembered, 'metashell', session?.file),
      ...checkFindings(remembered, 'metashell', checkCommands(state)),
    ],
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

const phaseStates: Readonly<Partial<Record<RunState, WorkState>>> = {
  planning: 'active',
  running: 'active',
  ready: 'active',
  waiting: 'active',
  limit: 'failed',
  failed: 'failed',
  gate: 'done',
  done: 'done',
}

/** Only the current phase has tasks on disk; earlier ones are known only from the phase number. */
function phases(
  state: State,
  current: Fact<string>,
  runState: RunState | null,
  tasks: readonly TaskView[],
): PhaseView[] {
  const titles = phaseTitles(state)
  const here = current.value === null ? undefined : Number(current.value)
  const numbers = [...new Set([...titles.keys(), ...(here === undefined ? [] : [here])])].sort((a, b) => a - b)
  const views = numbers.map((number, index): PhaseView => ({
    key: String(number),
    title: titles.get(number) ?? unknown(),
    state:
      number === here
        ? { value: runState ? (phaseStates[runState] ?? null) : state.session ? null : 'todo', source: current.source }
        : here !== undefined && number > here
          ? { value: 'todo', source: current.source }
          : { value: here === undefined ? null : 'done', source: current.source },
    dependencies:
      here !== undefined && number > here
        ? [{ value: String(numbers[index - 1] ?? here), source: current.source }]
        : [],
    ...(number === here ? { retries: gapMeter(state).used } : {}),
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
            list.kind === 'list'
              ? list.items.flatMap((item) => textOf(item) ?? []).filter((name) => name.trim() !== '')
              : undefined,
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

function errors(state: State, tasks: readonly TaskNode[], remembered: Remembered): RunError[] {
  const { summaries } = state
  const found = tasks.flatMap(({ id, status }): RunError[] => {
    if (!status || stringOf(status.node) !== 'failed') return []
    const check = shownCheck(remembered, id)
    if (check && isCheckFailure(check))
      return [
        {
          message: { value: `${checkText(check)}: ${check.command}`, source: status.document.source(status.node) },
          at: id,
          time: { value: check.endedAt, source: null },
          resolved: false,
        },
      ]
    const summary = summaries.get(id)
    const reported = summary?.fact(
      field(summary.root, 'message', 'notes') ?? field(field(summary.root, 'verification_result'), 'output'),
      textOf,
    )
    const message =
      reported && reported.value !== null
        ? reported
        : { value: `Task ${id} failed.`, source: status.document.source(status.node) }
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
      const named = stringOf(field(change, 'file'))
      if (named === undefined) return []
      // Named from the session's folder; agents also name files from the project's.
      const own = projectPath(folder, named)
      const path = [own, projectPath('', named)].find((path) => path !== undefined && listing.hasFile(path)) ?? own
      return [
        {
          kind: textOf(field(change, 'action')) ?? 'changed',
          path: path ?? named,
          exists: path === undefined ? null : listing.hasFile(path),
          source: document.source(change),
        },
      ]
    })
    return [own, ...changed]
  })
}
