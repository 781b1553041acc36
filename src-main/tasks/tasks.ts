import { AppError, toFailure } from '@shared/contract/errors'
import type { Input, Output, Payload } from '@shared/contract/contract'
import { MAX_ARTIFACTS_PAGE, MAX_TASK_PAGE, type Task, type TaskProblem, type TaskType } from '@shared/contract/tasks'
import type { Settings } from '@shared/contract/settings'
import { isJsonObject, type JsonObject } from '@shared/json'
import { ChangeFeed, pageAfter, type Changes } from '../rpc/changeFeed'
import type { MachineManager } from '../machine/manager'
import type { RecordedTask } from '../recorder/recordingCatalog'
import type { RegexMatcher } from '../regex/matcher'
import { Catalogue, type Operations, type PreparedTask } from './catalogue'
import { describeTask, whoRuns } from './describeTask'
import { readEntry, thisProcess, type NewTask, type ProcessIdentity, type RecordedTotal } from './entry'
import { readFolderContents } from './folderContents'
import { aborted } from './endingWith'
import { endInterruptedSessions, endInterruptedTasks, stopInterrupted } from './interruptedTasks'
import { LiveTask, type EngineParts } from './liveTask'
import { TaskSession } from './sessions'
import { describeRepair } from './registryRepair'
import { TaskStore } from './store'
import { compareIds } from './taskId'
import type { TaskRecording } from './taskRecorder'
import { appendLog, artifactPath, listArtifacts, readArtifact, readLog, requireFolder } from './taskFolder'

export interface TasksOptions {
  readonly home: string
  readonly operations: Operations
  readonly regex: Pick<RegexMatcher, 'match'>
  readonly machines: Pick<MachineManager, 'connect' | 'live' | 'managed' | 'subscribe' | 'acquire'>
  readonly snapshot: EngineParts['snapshot']
  readonly standInRom: EngineParts['standInRom']
  readonly settings: () => Settings['tasks']
  readonly openRecording: (folder: string) => Promise<TaskRecording>
  readonly forgetRecording: (folder: string) => Promise<void>
  readonly recordedIn: (folder: string) => Promise<RecordedTotal | null>
  readonly onChanged: (changes: Payload<'tasks.changed'>) => void
  readonly onLog: (part: Payload<'tasks.log'>) => void
  readonly onProblems: (problems: TaskProblem[]) => void
  readonly log: (message: string, error?: unknown) => void
  readonly self?: ProcessIdentity
}

const NOTIFY_DELAY_MS = 100

const MAX_PROBLEMS = 50

export class Tasks {
  readonly #options: TasksOptions
  readonly #store: TaskStore
  readonly #catalogue: Catalogue
  readonly #live = new Map<string, LiveTask>()
  readonly #session: TaskSession
  readonly #engine: EngineParts
  readonly #feed = new ChangeFeed<string>({
    delayMs: NOTIFY_DELAY_MS,
    maxItems: MAX_TASK_PAGE,
    send: (changes) => this.#send(changes),
  })
  #settling: Promise<void> | undefined
  #isClosing = false

  constructor(options: TasksOptions) {
    const { home, operations, machines, log } = options
    this.#options = options
    this.#catalogue = new Catalogue(operations)
    this.#session = new TaskSession(home)
    this.#store = new TaskStore({
      home,
      self: options.self ?? thisProcess(),
      log,
      onChange: (ids) => ids.forEach((id) => this.#noteChange(id)),
      onProblems: (problems) => options.onProblems(problems.slice(0, MAX_PROBLEMS)),
      onClock: () => void this.#endInterruptedTasks(),
    })
    this.#engine = {
      store: this.#store,
      machines,
      regex: options.regex,
      snapshot: options.snapshot,
      standInRom: options.standInRom,
      openRecording: options.openRecording,
      resumeSetting: () => options.settings().resume,
      onChange: (id) => this.#noteChange(id),
      onLog: options.onLog,
      log,
    }
  }

  async begin(): Promise<void> {
    await this.#load()
    await this.#store.readDetails()
    await this.#endInterruptedTasks()
    if (this.#options.settings().resume !== 'always') return
    for (const id of this.#store.ids) {
      const task = this.#describe(id)
      if (!task?.resumable || this.#catalogue.get(task.operation)?.writes !== false) continue
      await this.resume(id).catch((error: unknown) =>
        this.#options.log(`${id} could not be resumed: ${toFailure(error).message}`),
      )
    }
  }

  get home(): string {
    return this.#store.home
  }

  async list(after: string | null): Promise<Output<'tasks.list'>> {
    await this.#load()
    const { page, next } = pageAfter(this.#store.ids, after, MAX_TASK_PAGE, compareIds)
    await this.#store.readDetails(page)
    return {
      revision: this.#feed.revision,
      home: this.#store.home,
      problems: this.#store.problems.slice(0, MAX_PROBLEMS),
      tasks: page.flatMap((id) => this.#describe(id) ?? []),
      next,
    }
  }

  async show(id: string): Promise<Output<'tasks.show'>> {
    await this.#load()
    await this.#store.readDetails([id])
    const { entry, folder } = this.#store.require(id)
    const { args, folder: shownAs } = readEntry(entry)
    return { task: this.#view(id), folder, args, ...(await readFolderContents(folder, shownAs ?? '')) }
  }

  operations(): Output<'tasks.operations'> {
    return { operations: this.#catalogue.describe() }
  }

  async start(input: Input<'tasks.start'>): Promise<Task> {
    const { id, prepared } = await this.#create(input)
    const { machine, type } = input
    this.#run(new LiveTask(id, { machine, prepared, isResumed: false, parts: this.#engine }))
    if (this.#options.settings().sessions) await this.#addToSession(id, type)
    return this.#view(id)
  }

  /** A task that could not begin, as when a machine does not answer, is kept with the reason. */
  async startFailed(input: Input<'tasks.start'>, reason: string): Promise<Task> {
    const { id } = await this.#create(input)
    if (this.#options.settings().sessions) await this.#addToSession(id, input.type)
    const now = Date.now()
    await appendLog(await this.folder(id), `error: ${reason}`, now)
    await this.#store.change(id, { status: 'error', updatedAt: now, stoppedAt: now, lastError: reason })
    return this.#view(id)
  }

  async #create({
    operation,
    machine,
    type,
    args,
    name = operation,
    intervalMs,
    maxIterations,
  }: Input<'tasks.start'>): Promise<{ id: string; prepared: PreparedTask }> {
    if (type === 'foreground' && (intervalMs !== undefined || maxIterations !== undefined)) {
      throw new AppError('INVALID', 'A foreground task runs once: it has no interval and no number of iterations.')
    }
    if (this.#isClosing) throw new AppError('BUSY', 'Bridgedeck is ending and starts no task any more.')
    const prepared = this.#catalogue.prepare(operation, type, args)
    const task: NewTask = {
      name,
      type,
      operation,
      args,
      ...(intervalMs === undefined ? {} : { intervalMs }),
      ...(maxIterations === undefined ? {} : { maxIterations }),
      startedAt: Date.now(),
    }
    await this.#load()
    return { id: await this.#store.create(task, machine), prepared }
  }

  /** Resolves when it has ended; at once where it does not run here. */
  async wait(id: string, signal: AbortSignal): Promise<Task> {
    await this.#store.ensureTasksLoaded()
    this.#store.require(id)
    const live = this.#live.get(id)
    if (live) await Promise.race([live.ended, aborted(signal)])
    return this.#view(id)
  }

  async stop(id: string): Promise<Task> {
    await this.#store.readDetails([id])
    const stored = this.#store.require(id)
    const live = this.#live.get(id)
    if (live) await live.stop()
    else if (readEntry(stored.entry).status === 'running') await stopInterrupted(this.#store, id)
    else if (stored.own?.interrupted === true)
      await this.#store.change(id, { updatedAt: Date.now() }, { interrupted: false })
    return this.#view(id)
  }

  async stopAll(): Promise<number> {
    const all = [...this.#live.values()]
    await Promise.all(all.map((live) => live.stop()))
    return all.length
  }

  async resume(id: string): Promise<Task> {
    await this.#store.readDetails([id])
    const live = this.#live.get(id)
    if (live?.state.waitsForPerson === true) {
      live.resume()
      return this.#view(id)
    }
    const { resumable, machine } = this.#view(id)
    if (!resumable || machine === null) {
      throw new AppError('CONFLICT', `${id} cannot be resumed.`, {
        hint: 'Only an interrupted background task of Bridgedeck can; run others again.',
      })
    }
    const { operation, type, args } = readEntry(this.#store.require(id).entry)
    const prepared = this.#catalogue.prepare(operation, type, args)
    await this.#store.takeOver(
      id,
      { status: 'running', updatedAt: Date.now(), stoppedAt: null, lastError: null },
      { runs: true, interrupted: false },
    )
    this.#run(new LiveTask(id, { machine, prepared, isResumed: true, parts: this.#engine }))
    return this.#view(id)
  }

  async runAgain(id: string): Promise<Task> {
    await this.#store.readDetails([id])
    const { name, type, operation, args, intervalMs, maxIterations } = readEntry(this.#store.require(id).entry)
    const { machine } = this.#view(id)
    if (machine === null)
      throw new AppError('INVALID', `${id} does not say on which machine it ran.`, {
        hint: 'Start a new task with its arguments.',
      })
    const given: JsonObject = isJsonObject(args) ? args : {}
    return this.start({
      operation,
      machine,
      type,
      args: given,
      ...(/^[a-z0-9_-]{1,64}$/.test(name) ? { name } : {}),
      ...(type === 'background' && intervalMs !== null ? { intervalMs: Math.max(1, Math.round(intervalMs)) } : {}),
      ...(type === 'background' && maxIterations !== null && maxIterations > 0 ? { maxIterations } : {}),
    })
  }

  async delete(id: string): Promise<void> {
    await this.#store.readDetails([id])
    const stored = this.#store.require(id)
    const live = this.#live.get(id)
    if (live) throw new AppError('BUSY', `${id} runs.`, { hint: 'Stop it first.' })
    const { runner } = whoRuns(stored, live)
    if (runner === 'elsewhere')
      throw new AppError('BUSY', `${id} is run by another program.`, { hint: 'Stop it there first.' })
    if (stored.folder !== null) await this.#options.forgetRecording(stored.folder)
    await this.#store.delete(id)
  }

  async adopt(id: string): Promise<Task> {
    await this.#store.ensureTasksLoaded()
    await this.#store.adopt(id)
    return this.#view(id)
  }

  async removeEntry(id: string): Promise<void> {
    await this.#store.ensureTasksLoaded()
    await this.#store.removeEntry(id)
  }

  async previewRepair(): Promise<Output<'tasks.previewRepair'>> {
    return describeRepair(await this.#store.previewRepair())
  }

  repair(stamp: string): Promise<Output<'tasks.repair'>> {
    return this.#store.repair(stamp)
  }

  async readLog(id: string, offset: number): Promise<Output<'tasks.readLog'>> {
    return readLog(await this.folder(id), offset)
  }

  async artifacts(after: string | null): Promise<Output<'tasks.artifacts'>> {
    await this.#load()
    const { page, next } = pageAfter(this.#store.ids, after, MAX_ARTIFACTS_PAGE, compareIds)
    const tasks: Output<'tasks.artifacts'>['tasks'] = []
    for (const id of page) {
      const { folder } = this.#store.require(id)
      if (folder === null) continue
      const found = await listArtifacts(folder).catch(() => null)
      if (found && found.artifacts.length > 0) tasks.push({ id, ...found })
    }
    return { tasks, next }
  }

  async artifact(id: string, artifact: string, offset: number): Promise<Output<'tasks.artifact'>> {
    return readArtifact(await this.folder(id), artifact, offset)
  }

  async artifactPath(id: string, artifact: string): Promise<string> {
    return artifactPath(await this.folder(id), artifact)
  }

  /** @throws AppError NOT_FOUND where the task has none */
  async folder(id: string): Promise<string> {
    await this.#store.ensureTasksLoaded()
    const { folder } = this.#store.require(id)
    if (folder === null) throw new AppError('NOT_FOUND', `The task ${id} has no folder.`)
    return requireFolder(folder)
  }

  async recorded(): Promise<RecordedTask[]> {
    await this.#store.readDetails()
    return this.#store.ids.flatMap((id) => this.#asRecorded(id) ?? [])
  }

  async recordedOne(id: string): Promise<RecordedTask | undefined> {
    await this.#store.readDetails([id])
    return this.#asRecorded(id)
  }

  async note(id: string, line: string): Promise<void> {
    await appendLog(await this.folder(id), line, Date.now())
  }

  get live(): Output<'tasks.live'>['tasks'] {
    return [...this.#live.values()].slice(0, 1000).map(({ id, name, type }) => ({ id, name: name.slice(0, 300), type }))
  }

  /** Stops what runs; everything is on disk when it resolves. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.stopAll()
    await this.#settling
    await this.#session.close().catch((error: unknown) => this.#options.log('The session could not be ended', error))
    await this.#store.close()
    this.#feed.close()
  }

  async #load(): Promise<void> {
    await this.#store.ensureTasksLoaded()
    await (this.#settling ??= this.#settle())
  }

  async #settle(): Promise<void> {
    await this.#endInterruptedTasks()
    await endInterruptedSessions(this.#store).catch((error: unknown) =>
      this.#options.log('Sessions of processes that are gone could not be ended', error),
    )
  }

  async #endInterruptedTasks(): Promise<void> {
    const { recordedIn, log } = this.#options
    await endInterruptedTasks({ store: this.#store, isLive: (id) => this.#live.has(id), recordedIn, log })
  }

  #run(live: LiveTask): void {
    const { id } = live
    this.#live.set(id, live)
    this.#noteChange(id)
    void live.ended.then(() => {
      this.#live.delete(id)
      this.#noteChange(id)
    })
  }

  async #addToSession(id: string, type: TaskType): Promise<void> {
    await this.#session
      .add(id, type)
      .catch((error: unknown) => this.#options.log(`${id} could not be added to the session`, error))
  }

  #asRecorded(id: string): RecordedTask | undefined {
    const stored = this.#store.get(id)
    if (!stored || stored.own === null || stored.folder === null) return undefined
    const { name, runner } = this.#view(id)
    return { id, name, folder: stored.folder, running: runner !== 'nobody' }
  }

  #describe(id: string): Task | undefined {
    const stored = this.#store.get(id)
    return stored && describeTask(stored, this.#live.get(id), this.#catalogue)
  }

  #view(id: string): Task {
    return describeTask(this.#store.require(id), this.#live.get(id), this.#catalogue)
  }

  #noteChange(id: string): void {
    this.#feed.note(id, id)
  }

  #send({ from, revision, items }: Changes<string>): void {
    const described = items.map((id) => ({ id, task: this.#describe(id) }))
    this.#options.onChanged({
      from,
      revision,
      changed: described.flatMap(({ task }) => task ?? []),
      removed: described.flatMap(({ id, task }) => (task ? [] : [id])),
    })
  }
}
