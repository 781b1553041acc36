/** What a person does with a Meta-Shell session: changes of session.json, of plan.json beside it, and reverts of commits. */
import { AppError } from '@shared/contract/errors'
import type { Json } from '../../files/json'
import type { Action, ActionField, ActionPlan, ActionRequest } from '../edits/action'
import { Draft } from '../edits/draft'
import { quote } from '../finding'
import type { RunFiles } from '../format'
import { lockHolder } from '../lockHolder'
import { booleanOf, field, itemsOf, numberOf, stringOf, textOf, type Located, type LocatedDocument } from '../text/located'
import { parseLocatedJson } from '../text/locatedJson'
import { listed, planOffer, sorted, type Offer, type Offers, type Refusal } from '../edits/offer'
import type { Need, RunView } from '../run'
import { pathTo, type Path } from '../text/splice'
import { read } from './read'
import { checkpointAnswer, cursorOf, fieldNames, locate, planOf, tasksOf, variable, verificationOf, type State, type TaskNode } from './state'

export const actions = (files: RunFiles): Action[] => listed(offersFor(files))
export const plan = (files: RunFiles, request: ActionRequest): ActionPlan => planOffer(offersFor(files), request)

/** A lock is waited for that long: what is younger may be held, ms. */
const LOCK_TIMEOUT = 5_000

interface Run {
  readonly files: RunFiles
  readonly state: State
  readonly session: LocatedDocument
  readonly tasks: readonly TaskNode[]
  readonly byId: ReadonlyMap<string, TaskNode>
  readonly cursor: number | undefined
  readonly status: string | undefined
  readonly view: RunView
  /** What the run waits for, if for anything. */
  readonly need: Need | undefined
}

function offersFor(files: RunFiles): Offers {
  const state = locate(files)
  const lock = clearLock(files, state)
  const { session } = state
  if (files.candidate.archived || session?.root?.kind !== 'map') return { offers: lock, refusals: [] }
  const tasks = tasksOf(state)
  const byId = new Map<string, TaskNode>()
  for (const task of tasks) if (!byId.has(task.id)) byId.set(task.id, task)
  const { view } = read(files)
  const run: Run = { files, state, session, tasks, byId, cursor: numberOf(cursorOf(session.root)), status: stringOf(field(session.root, 'status')), view, need: view.needs[0] }
  const entries = [
    ...answer(run),
    ...nextPhase(run),
    ...resetBreaker(run),
    // Of tasks with the same id only the first can be told.
    ...tasks.flatMap((task, index) => (byId.get(task.id) === task ? [...retry(run, task, index), ...skip(run, task, index), ...jump(run, task, index), ...rollBack(run, task, index), ...editTask(run, task, index)] : [])),
    ...lock,
  ]
  return sorted(entries)
}

/** The changes of session.json and plan.json by what is there, under whichever name. */
class SessionDraft {
  readonly draft: Draft
  readonly #run: Run
  /** As written: dotted keys are folded in the documents of the state, and not in their texts. */
  readonly #written = new Map<string, LocatedDocument>()

  constructor(run: Run) {
    this.draft = new Draft(run.files)
    this.#run = run
  }

  /** A field of a value that is there, under whichever of these names. */
  setIn(document: LocatedDocument, parent: Located, names: readonly string[], value: Json): void {
    const node = field(parent, ...names)
    if (node) this.set(document, node, value)
    else this.draft.json(document.file, [...this.#pathOf(document, parent), names[0] ?? ''], value)
  }

  /** A value that is there. */
  set(document: LocatedDocument, node: Located, value: Json | undefined): void {
    this.draft.json(document.file, this.#pathOf(document, node), value)
  }

  /** A field of the session, in its place or, where it is not there, under its first name in `parent`. */
  setField(node: Located | undefined, names: readonly string[], value: Json, parent: readonly string[] = []): void {
    const { session } = this.#run
    if (node) this.set(session, node, value)
    else this.draft.json(session.file, [...parent, this.#isSnakeCase ? (names.at(-1) ?? '') : (names[0] ?? '')], value)
  }

  setStatus(value: 'planning' | 'executing'): void {
    this.setField(field(this.#run.session.root, 'status'), ['status'], value)
  }

  setCursor(index: number): void {
    const { session } = this.#run
    const inPlan = field(session.root, 'plan')
    this.setField(cursorOf(session.root), fieldNames.currentTaskIdx, index, inPlan ? ['plan'] : [])
  }

  setTask({ status, document, node }: TaskNode, value: 'pending' | 'complete'): void {
    if (status) this.set(status.document, status.node, value)
    else this.setIn(document, node, ['status'], value)
  }

  /** At the end of a list among the variables, which is made when it is not there. */
  remember(name: string, values: readonly string[]): void {
    const { session, state } = this.#run
    const list = variable(state, name)
    if (list && list.kind !== 'list') throw new AppError('CONFLICT', `variables.${name} of ${session.file} is no list.`, { hint: 'Make it one in an editor: something else wrote it.' })
    if (!list) this.setVariable(name, [...values])
    else values.forEach((value, index) => this.draft.json(session.file, [...this.#pathOf(session, list), list.items.length + index], value))
  }

  setVariable(name: string, value: Json): void {
    const { session } = this.#run
    const node = field(field(session.root, 'variables'), name)
    if (node) this.set(session, node, value)
    else this.draft.json(session.file, ['variables', name], value)
  }

  removeVariable(...names: readonly string[]): void {
    const node = variable(this.#run.state, ...names)
    if (node) this.set(this.#run.session, node, undefined)
  }

  #pathOf(document: LocatedDocument, node: Located): Path {
    const written = this.#written.get(document.file) ?? parseLocatedJson(document.text)
    this.#written.set(document.file, written)
    return pathTo(written, node)
  }

  get #isSnakeCase(): boolean {
    return field(this.#run.session.root, 'session_id', 'current_phase', 'gap_count') !== undefined
  }
}

const taskSource = ({ document, node, status }: TaskNode) => (status ? status.document.source(status.node) : document.source(node))
const statusOf = ({ status }: TaskNode | { readonly status: undefined }): string | undefined => stringOf(status?.node)
const openDependency = ({ byId }: Run, { dependencies }: TaskNode): string | undefined =>
  dependencies.find(({ id }) => statusOf(byId.get(id) ?? { status: undefined }) !== 'complete')?.id

const answering = ({ need, view }: Run, kind: RunView['state']['value']) => need !== undefined && view.state.value === kind

function answer(run: Run): Offer[] {
  const { files, session, state, need, view, tasks, cursor } = run
  if (view.state.value !== 'waiting' || need?.kind !== 'question') return []
  const kept = variable(state, 'pending_checkpoint', 'checkpoint')
  const node = kept?.kind === 'map' ? kept : state.summaries.get(tasks[cursor ?? -1]?.id ?? '')?.root
  const taskId = textOf(field(node, 'task_id')) ?? tasks[cursor ?? -1]?.id ?? ''
  const resumeId = textOf(field(node, 'resume_id')) ?? taskId
  return [
    {
      name: 'answer',
      target: '',
      title: `Answer the question of task ${taskId}`,
      effect: 'Your answer is kept in the session and the task is started again with it by the host.',
      fields: [{ name: 'answer', label: 'Answer', kind: 'text', value: '', suggestions: need.options }],
      source: need.source,
      answersNeed: true,
      plan: (values) => {
        const draft = new SessionDraft({ ...run, files })
        if (kept?.kind === 'map') draft.set(session, kept, undefined)
        draft.setVariable(checkpointAnswer, { checkpoint_id: resumeId, task_id: taskId, user_input: values.text('answer') ?? '' })
        draft.setStatus('executing')
        return { summary: `Answered the question of task ${taskId}`, changes: draft.draft.changes, warnings: [] }
      },
    },
  ]
}

/** A failed task, and the one that a session halted at without a failure: blocked, out of time, or for a reason that is not written. */
function retry(run: Run, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const failed = statusOf(task) === 'failed'
  const halted = run.status === 'halted' && run.cursor === index && statusOf(task) === 'pending' && run.view.state.value === 'waiting' && run.need?.kind !== 'question'
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'retry', target: id, because, hint }]
  if (!failed && !halted) return refuse(`Task ${id} did not fail: it is ${statusOf(task) ?? 'of no known status'}.`, 'Only a failed task, or the one that the session halted at, is tried again.')
  const open = openDependency(run, task)
  if (open !== undefined) return refuse(`Task ${id} needs ${open}, which is not complete.`, `Try ${open} again first.`)
  const first = run.tasks.find((other) => statusOf(other) === 'failed')
  return [
    {
      name: 'retry',
      target: id,
      title: `Retry task ${id}`,
      effect: 'The task is pending again and the session goes on with it.',
      fields: [],
      source: halted && run.need ? run.need.source : taskSource(task),
      answersNeed: halted || (answering(run, 'failed') && first === task),
      plan: () => {
        const draft = new SessionDraft(run)
        if (failed) draft.setTask(task, 'pending')
        if (run.cursor !== index) draft.setCursor(index)
        draft.setStatus('executing')
        const others = run.tasks.filter((other) => other !== task && statusOf(other) === 'failed').map((other) => other.id)
        const again = run.tasks.slice(index + 1).filter((other) => statusOf(other) === 'complete').map((other) => other.id)
        return {
          summary: `Retried task ${id}`,
          changes: draft.draft.changes,
          warnings: [
            ...(others.length === 0 ? [] : [`${some(others)} failed too and ${others.length === 1 ? 'stays' : 'stay'} so.`]),
            ...(again.length === 0 ? [] : [`${some(again)} behind it ${again.length === 1 ? 'is' : 'are'} complete already.`]),
            ...commitsWarning(task),
          ],
        }
      },
    },
  ]
}

const some = (ids: readonly string[]): string => `${ids.length === 1 ? 'Task' : 'Tasks'} ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ` and ${ids.length - 5} more` : ''}`

const commitsOf = ({ node }: TaskNode): string[] => itemsOf(field(node, 'commits')).flatMap((commit) => textOf(commit) ?? [])
const commitsWarning = (task: TaskNode): string[] => (commitsOf(task).length === 0 ? [] : ['Its commits stay: roll the task back first if they are to be undone.'])

/** The format has no status for it: it counts as complete, and the variables say that it was not done. */
function skip(run: Run, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'skip', target: id, because, hint }]
  if (statusOf(task) !== 'pending' && statusOf(task) !== 'failed') return refuse(`Task ${id} is ${statusOf(task) ?? 'of no known status'}.`, 'Only a pending or failed task is skipped.')
  const open = openDependency(run, task)
  if (open !== undefined) return refuse(`Task ${id} needs ${open}, which is not complete.`, `Skip or finish ${open} first.`)
  const goesOn = run.status === 'halted' && run.cursor === index && run.view.state.value !== 'limit'
  return [
    {
      name: 'skip',
      target: id,
      title: `Skip task ${id}`,
      effect: 'The format knows no skipped task: it is set to complete, and variables.skipped_tasks says that it was skipped.',
      fields: [],
      source: taskSource(task),
      answersNeed: answering(run, 'failed') && run.tasks.find((other) => statusOf(other) === 'failed') === task,
      plan: () => {
        const draft = new SessionDraft(run)
        draft.setTask(task, 'complete')
        draft.remember('skipped_tasks', [id])
        if (run.cursor === index) draft.setCursor(index + 1)
        if (goesOn) draft.setStatus('executing')
        const needing = run.tasks.filter(({ dependencies }) => dependencies.some((dependency) => dependency.id === id)).map((other) => other.id)
        return {
          summary: `Skipped task ${id}`,
          changes: draft.draft.changes,
          warnings: needing.length === 0 ? [] : [`${some(needing)} ${needing.length === 1 ? 'needs' : 'need'} what it was to make.`],
        }
      },
    },
  ]
}

function jump(run: Run, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'jump', target: id, because, hint }]
  if (run.cursor === index) return refuse(`The session is at task ${id} already.`, 'Choose another task.')
  const open = openDependency(run, task)
  if (open !== undefined) return refuse(`Task ${id} needs ${open}, which is not complete.`, `Go to ${open} first.`)
  return [
    {
      name: 'jump',
      target: id,
      title: `Go to task ${id}`,
      effect: 'It is the next task that is worked on; those after it follow in the order of the list.',
      fields: [],
      source: taskSource(task),
      answersNeed: false,
      plan: () => {
        const draft = new SessionDraft(run)
        draft.setCursor(index)
        const left = run.tasks.slice(0, index).filter((other) => statusOf(other) !== 'complete').map((other) => other.id)
        return {
          summary: `Went to task ${id}`,
          changes: draft.draft.changes,
          warnings: [
            ...(left.length === 0 ? [] : [`${some(left)} before it ${left.length === 1 ? 'is' : 'are'} left out.`]),
            ...(statusOf(task) === 'complete' ? ['It is complete already, and would be done again.'] : []),
            ...(run.status === 'halted' ? ['The session stays halted until it is resumed.'] : []),
          ],
        }
      },
    },
  ]
}

function rollBack(run: Run, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'roll-back', target: id, because, hint }]
  const list = field(task.node, 'commits')
  const commits = commitsOf(task)
  if (!list || commits.length === 0) return refuse(`Task ${id} has no commits.`, 'There is nothing to revert.')
  const odd = commits.find((commit) => !/^[0-9a-f]{4,64}$/i.test(commit))
  if (odd !== undefined) return refuse(`${quote(odd)} of task ${id} is no hash of a commit.`, 'Put the list right in an editor.')
  const dependent = run.tasks.find((other) => statusOf(other) === 'complete' && other.dependencies.some((dependency) => dependency.id === id))
  if (dependent) return refuse(`Task ${dependent.id} is complete and needs ${id}.`, `Roll ${dependent.id} back first.`)
  return [
    {
      name: 'roll-back',
      target: id,
      title: `Roll back task ${id}`,
      effect: `${commits.length === 1 ? 'Its commit is' : `Its ${commits.length} commits are`} reverted by git, the newest first, and the task is pending again. Needs a git repository that is trusted.`,
      fields: [],
      source: task.document.source(list),
      answersNeed: false,
      plan: () => {
        const draft = new SessionDraft(run)
        draft.setTask(task, 'pending')
        draft.set(task.document, list, [])
        draft.remember('reverted_commits', commits)
        return {
          summary: `Rolled back task ${id}`,
          changes: draft.draft.changes,
          warnings: run.cursor !== undefined && index < run.cursor ? [`The session is past it: go to task ${id} to have it done again.`] : [],
          git: { kind: 'revert', commits },
        }
      },
    },
  ]
}

function resetBreaker(run: Run): Offer[] {
  const { session, status, need } = run
  const gaps = field(session.root, ...fieldNames.gapCount)
  if (status !== 'halted' || !gaps || numberOf(gaps) === 0) return []
  const answers = answering(run, 'limit')
  return [
    {
      name: 'reset-breaker',
      target: '',
      title: 'Allow re-plans again',
      effect: 'The count of re-plans after failed verifications starts at 0, and the phase is planned again with the gaps that were found.',
      fields: [],
      source: answers && need ? need.source : session.source(gaps),
      answersNeed: answers,
      plan: () => {
        const draft = new SessionDraft(run)
        draft.setField(gaps, fieldNames.gapCount, 0)
        draft.setStatus('planning')
        const failed = run.tasks.filter((task) => statusOf(task) === 'failed').map(({ id }) => id)
        return {
          summary: 'Allowed re-plans again',
          changes: draft.draft.changes,
          warnings: failed.length === 0 ? [] : [`${some(failed)} failed: the new plan takes the place of this one.`],
        }
      },
    },
  ]
}

function nextPhase(run: Run): (Offer | Refusal)[] {
  const { session, state, status, tasks, view, need } = run
  const node = field(session.root, ...fieldNames.currentPhase)
  const number = numberOf(node)
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'next-phase', target: '', because, hint }]
  if (status !== 'halted') return refuse(`The session is ${status ?? 'of no known status'}, not halted.`, 'A phase ends with a verification, which halts the session.')
  const open = tasks.find((task) => statusOf(task) !== 'complete')
  if (open || tasks.length === 0) return refuse(open ? `Task ${open.id} is ${statusOf(open) ?? 'of no known status'}.` : 'The phase has no tasks yet.', 'Finish or skip what is left of the phase first.')
  if (!node || number === undefined) return refuse(`${session.file} has no number of a phase.`, 'Put it right in an editor.')
  const passed = booleanOf(field(verificationOf(state)?.document.root, 'passed'))
  if (passed === false) return refuse('The verification of this phase did not pass.', 'Allow re-plans again, so that its gaps are closed.')
  const answers = answering(run, 'gate')
  const next = String(number + 1)
  const title = view.phases.find(({ key }) => key === next)?.title.value
  return [
    {
      name: 'next-phase',
      target: '',
      title: `Start phase ${next}${title === null || title === undefined ? '' : `: ${title}`}`,
      effect: 'The session goes to the next phase and plans it; the plan of this phase is taken out of the session.',
      fields: [],
      source: answers && need ? need.source : session.source(node),
      answersNeed: answers,
      plan: () => {
        const draft = new SessionDraft(run)
        const written = stringOf(node)
        draft.set(session, node, written === undefined ? number + 1 : next.padStart(written.trim().length, '0'))
        draft.setField(field(session.root, ...fieldNames.gapCount), fieldNames.gapCount, 0)
        draft.removeVariable('research_done')
        const cursor = cursorOf(session.root)
        const planNode = field(session.root, 'plan')
        const cursorOutside = cursor && (!planNode || cursor.start < planNode.start || cursor.end > planNode.end)
        if (cursorOutside) draft.set(session, cursor, undefined)
        if (planNode) draft.set(session, planNode, undefined)
        draft.setStatus('planning')
        return {
          summary: `Started phase ${next}`,
          changes: draft.draft.changes,
          warnings: [
            ...(passed === undefined ? ['Nothing on disk says that this phase was verified.'] : []),
            ...(title === undefined || title === null ? [`context.md names no phase ${next}: the planner has only its text to go by.`] : []),
          ],
        }
      },
    },
  ]
}

/** Title and dependencies of a task that was not started, in the session and in plan.json, which have to agree. */
function editTask(run: Run, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'edit-task', target: id, because, hint }]
  if (statusOf(task) !== 'pending' && task.status) return refuse(`Task ${id} is ${statusOf(task) ?? 'of no known status'}.`, 'A plan is changed before its tasks are done.')
  if (run.status === 'executing' && run.cursor === index) return refuse(`Task ${id} is being worked on.`, 'Halt the session first.')
  const title = textOf(field(task.node, 'title')) ?? ''
  const dependencies = task.dependencies.map((dependency) => dependency.id)
  const fields: ActionField[] = [
    { name: 'title', label: 'Title', kind: 'line', value: title },
    { name: 'dependencies', label: 'Needs', kind: 'line', value: dependencies.join(', '), help: 'Ids of tasks before it, with commas between them.', optional: true },
  ]
  return [
    {
      name: 'edit-task',
      target: id,
      title: `Change the plan of task ${id}`,
      effect: 'Its title and what it needs are changed in the session and in plan.json.',
      fields,
      source: task.document.source(task.node),
      answersNeed: false,
      plan: (values) => {
        const ids = [...new Set((values.text('dependencies') ?? '').split(/[,\s]+/).filter((name) => name !== ''))]
        const before = new Set(run.tasks.slice(0, index).map((other) => other.id))
        const unknown = ids.find((name) => !before.has(name) || name === id)
        if (unknown !== undefined) {
          throw new AppError('INVALID', `Task ${id} cannot need ${quote(unknown)}: ${run.byId.has(unknown) ? 'it does not stand before it in the list' : 'there is no such task'}.`, {
            hint: 'Tasks run in the order of the list, so each can need only those before it.',
          })
        }
        const draft = new SessionDraft(run)
        const planned = planOf(run.state)
        const entry = planned && planned.document !== task.document ? itemsOf(field(planned.document.root, 'tasks')).find((node) => textOf(field(node, 'id')) === id) : undefined
        for (const { document, node } of [task, ...(planned && entry ? [{ document: planned.document, node: entry }] : [])]) {
          if (values.text('title') !== textOf(field(node, 'title'))) draft.setIn(document, node, ['title'], values.text('title') ?? title)
          const own = itemsOf(field(node, ...fieldNames.dependencies)).map(textOf)
          if (own.length !== ids.length || own.some((name, at) => name !== ids[at])) draft.setIn(document, node, fieldNames.dependencies, ids)
        }
        if (draft.draft.changes.length === 0) throw new AppError('INVALID', 'That is what the plan says already.', { hint: 'Change the title or what the task needs.' })
        return {
          summary: `Changed the plan of task ${id}`,
          changes: draft.draft.changes,
          warnings: entry || planned?.document === task.document ? [] : ['There is no such task in plan.json, so only the session is changed.'],
        }
      },
    },
  ]
}

/** Only where nobody can be told to hold it: a young one is left alone. */
function clearLock(files: RunFiles, { lock }: State): Offer[] {
  if (lock === undefined) return []
  return [
    {
      name: 'clear-lock',
      target: '',
      title: 'Remove the stale lock',
      effect: `${lock} is deleted, so that a host can write the session again.`,
      fields: [],
      source: { file: lock },
      answersNeed: false,
      plan: ({ now }) => {
        const age = now - (files.files.get(lock)?.modifiedAt ?? 0)
        if (age < LOCK_TIMEOUT) {
          throw new AppError('CONFLICT', `${lock} was made less than ${LOCK_TIMEOUT / 1000} seconds ago: a host may be writing now.`, { hint: 'Wait, and try again if it is still there.' })
        }
        const draft = new Draft(files)
        const content = draft.text(lock).text.trim()
        const holder = lockHolder(content)
        draft.write(lock, null)
        return {
          summary: `Removed ${lock}`,
          changes: draft.changes,
          warnings: [`Be sure that no host runs this session. ${content === '' ? 'The lock is empty, so nobody can be told to hold it.' : `The lock holds: ${quote(content)}.`}`],
          ...(holder ? { holder } : {}),
        }
      },
    },
  ]
}
