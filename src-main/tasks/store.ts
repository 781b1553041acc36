/**
 * The tasks of one state home, as spec 001 keeps them. In memory is the truth of what runs here; task.json is written at
 * each change before it counts; tasks.json follows. Other programs write both files too: their entries and fields stay
 * as they are, and what a whole-file write of theirs dropped of ours is put back.
 */
import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import type { TaskProblem, TaskType } from '@shared/contract/tasks'
import type { JsonObject } from '@shared/json'
import { describeFileError } from '../files/fileErrors'
import { removeAbandoned, stagingName } from '../files/stagedWrite'
import { childIsAlive } from '../storage/children'
import {
  changeEntry,
  newEntry,
  readEntry,
  type EntryChanges,
  type NewTask,
  type OwnPart,
  type ProcessIdentity,
  type TaskFile,
} from './entry'
import { parentOf, TaskFolders } from './folders'
import { HomeWatcher } from './homeWatcher'
import { KeyedQueue } from './keyedQueue'
import { mergeTask, type KnownTask, type StoredTask } from './mergeTask'
import { printEntry, REGISTRY, type Registry } from './registryFile'
import { RegistryOnDisk } from './registryOnDisk'
import { RegistryWriter, type Urgency } from './registryWriter'
import { appendLog } from './taskFolder'
import { compareIds, counterOf } from './taskId'
import { TaskIds } from './taskIds'
import { makeTaskFolder, readTaskState, writeTaskState } from './taskState'

export type { StoredTask } from './mergeTask'

export interface StoreOptions {
  /** The state home; made when it is missing. */
  readonly home: string
  /** This process. */
  readonly self: ProcessIdentity
  readonly log: (message: string, error?: unknown) => void
  /** Tasks that are new, different or gone. */
  readonly onChange: (ids: readonly string[]) => void
  readonly onProblems: (problems: readonly TaskProblem[]) => void
}

/** Tasks whose files are read at the same time. */
const READ_BATCH = 64

const MAX_NOTICES = 20

export class TaskStore {
  readonly home: string
  readonly #options: StoreOptions
  readonly #tasks = new Map<string, KnownTask>()
  readonly #registry: RegistryOnDisk
  readonly #writer: RegistryWriter
  readonly #folders: TaskFolders
  readonly #taskIds: TaskIds
  readonly #watcher: HomeWatcher
  /** The writes of each task's own files. */
  readonly #writes = new KeyedQueue()
  #sorted: string[] | undefined
  #highestCounter = 0
  #loading: Promise<void> | undefined
  #details: Promise<void> = Promise.resolve()
  /** What is taken over from disk comes one after the other, so that nothing older comes after something newer. */
  #reading: Promise<unknown> = Promise.resolve()
  /** What was taken over last. */
  #absorbed: Registry | undefined
  /** The list of folders that agreed with the tasks when they were last compared; a later one is another object. */
  #comparedFolders: ReadonlyMap<string, TaskType> | undefined
  /** Tasks whose entry differs from their task.json, and whose own process is to mend that. */
  readonly #leftToOthers = new Set<string>()
  /** Tasks whose task.json is still to be read. */
  readonly #unread = new Set<string>()
  #problem: TaskProblem | undefined
  #notices: readonly TaskProblem[] = []
  #isClosed = false

  constructor(options: StoreOptions) {
    const { home, log } = options
    this.#options = options
    this.home = home
    this.#registry = new RegistryOnDisk(home)
    this.#folders = new TaskFolders(home)
    this.#taskIds = new TaskIds(home)
    this.#writer = new RegistryWriter({
      registry: this.#registry,
      lockFile: join(home, '.bridgedeck.lock'),
      entryOf: (id) => this.#tasks.get(id)?.entry,
      onWritten: (ids, entries, found) => this.#noteWritten(ids, entries, found),
      onOutcome: (error) => {
        if (error !== undefined || this.#problem) this.#setProblem(error)
      },
    })
    this.#watcher = new HomeWatcher({
      home,
      log,
      refresh: () => this.#refresh(),
      onClock: () => this.#readThoseOfOthers(),
    })
  }

  /**
   * Reads tasks.json and what may be newer than it, and makes an empty one when there is none. The other task.json files
   * are read afterwards. May be called again. @throws AppError when the home cannot be made or read
   */
  ensureTasksLoaded(): Promise<void> {
    return (this.#loading ??= this.#load().catch((error: unknown) => {
      // The next call tries again.
      this.#loading = undefined
      throw describeFileError(error, basename(this.home), 'written')
    }))
  }

  /** Resolves when also the task.json of each of these tasks was read; of all where none are named. */
  async readDetails(ids?: readonly string[]): Promise<void> {
    await this.ensureTasksLoaded()
    if (ids === undefined) return this.#details
    if (!ids.some((id) => this.#unread.has(id))) return
    await this.#inTurn(async () => {
      const unread = ids.filter((id) => this.#unread.delete(id) && this.#tasks.has(id))
      await Promise.all(
        unread.map((id) => this.#resolve(id, this.#tasks.get(id)?.listed, this.#tasks.get(id)?.folder ?? null)),
      )
      this.#notify(unread.filter((id) => this.#tasks.get(id)?.own))
    })
  }

  get problems(): readonly TaskProblem[] {
    return [...(this.#problem ? [this.#problem] : []), ...this.#notices]
  }

  /** By counter, then by name. */
  get ids(): readonly string[] {
    return (this.#sorted ??= [...this.#tasks.keys()].sort(compareIds))
  }

  get(id: string): StoredTask | undefined {
    return this.#tasks.get(id)
  }

  /** @throws AppError NOT_FOUND */
  require(id: string): StoredTask {
    const task = this.#tasks.get(id)
    if (!task) throw new AppError('NOT_FOUND', `There is no task ${id}.`)
    return task
  }

  /** Whether this process runs it, or did. */
  isOwnedHere({ own }: StoredTask): boolean {
    return isSameProcess(own?.owner, this.#options.self)
  }

  /** Makes a running task with a new id. Resolves when its folder is there, whole. */
  async create(task: NewTask, machine: string | null): Promise<string> {
    await this.ensureTasksLoaded()
    const highest = await this.#readHighestCounter()
    const own: OwnPart = { machine, owner: this.#options.self, revision: 1 }
    for (;;) {
      const id = await this.#taskIds.reserve(task.name, highest)
      const entry = newEntry(id, task)
      const folder = join(parentOf(this.home, task.type), id)
      if (!(await makeTaskFolder(folder, entry, own, task.startedAt))) continue
      this.#folders.add(id, task.type)
      this.#put(id, { entry, own, orphan: null, folder, notices: [], listed: undefined })
      this.#notify([id])
      this.#writer.schedule(id, 'state')
      return id
    }
  }

  /**
   * Changes a task; resolves when its task.json is on disk, from where on the change is kept whatever happens.
   * @param options.runs that this process runs it from now on
   */
  change(
    id: string,
    changes: EntryChanges,
    { urgency = 'state', runs = false }: { urgency?: Urgency; runs?: boolean } = {},
  ): Promise<void> {
    const { entry, own } = this.require(id)
    const owner = runs ? this.#options.self : (own?.owner ?? null)
    this.#update(id, {
      entry: changeEntry(entry, changes),
      own: own && { ...own, owner, revision: own.revision + 1 },
    })
    this.#notify([id])
    return this.#writes.run(id, async () => {
      const { entry: latest, own: latestOwn, folder } = this.require(id)
      if (folder !== null) await writeTaskState(folder, latest, latestOwn)
      this.#writer.schedule(id, urgency)
    })
  }

  /**
   * Makes this process the one that runs a task whose process is gone.
   * @throws AppError CONFLICT when another process has just taken it
   */
  async claim(id: string): Promise<void> {
    await this.#writer.withLock(async () => {
      const { own, folder, entry } = this.require(id)
      const file = folder === null ? undefined : await readTaskState(folder)
      const onDisk = typeof file === 'object' ? file.own : null
      if (
        own === null ||
        onDisk === null ||
        onDisk.revision !== own.revision ||
        this.#isOthers(onDisk) ||
        entry.status !== 'running'
      ) {
        throw new AppError('CONFLICT', `${id} is no longer interrupted.`, { hint: 'Look at its state again.' })
      }
      await this.change(id, { updatedAt: Date.now() }, { runs: true })
    })
  }

  /** Gives a folder without an entry its entry in tasks.json. */
  async adopt(id: string): Promise<void> {
    const { orphan, entry } = this.require(id)
    if (orphan !== 'noEntry') throw new AppError('CONFLICT', `${id} has its entry already.`)
    // What its state was, nobody knows; the spec has no word for that.
    this.#update(id, {
      orphan: null,
      entry: readEntry(entry).status === 'unknown' ? { ...entry, status: 'stopped' } : entry,
    })
    await this.#writer.write(new Set([id]))
    this.#notify([id])
  }

  /** Drops an entry whose folder is not there. */
  async removeEntry(id: string): Promise<void> {
    if (this.require(id).orphan !== 'noFolder')
      throw new AppError('CONFLICT', `${id} has a folder.`, { hint: 'Delete the task instead.' })
    await this.#writer.write(new Set(), new Set([id]))
    this.#forget(id)
  }

  /** Deletes a task with all that is in its folder. */
  async delete(id: string): Promise<void> {
    const { folder } = this.require(id)
    const aside = folder === null ? undefined : stagingName(folder)
    await this.#writes.run(id, async () => {
      // Read once more: without the registry the folder must stay as well.
      await this.#registry.read()
      await this.#taskIds.retire(id)
      if (folder !== null && aside !== undefined) await rename(folder, aside)
      await this.#writer.write(new Set(), new Set([id]))
    })
    this.#forget(id)
    if (aside !== undefined) await rm(aside, { recursive: true, force: true })
  }

  /** Resolves when tasks.json holds all that was changed until now; it may not, and then that stands in the problems. */
  async flush(): Promise<void> {
    await this.#writes.drained()
    await this.#writer.flush()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#watcher.close()
    await this.#loading?.catch(() => undefined)
    await this.#details
    await this.#reading
    await this.#writes.drained()
    await Promise.all([this.#writer.close(), this.#taskIds.close()])
  }

  // Reading

  async #load(): Promise<void> {
    await mkdir(parentOf(this.home, 'background'), { recursive: true, mode: 0o700 })
    // Before anything is read, so that no change falls between the two.
    this.#watcher.start()
    const exists = await this.#readNext({ everything: false })
    if (!exists) await this.#writer.write(new Set())
    await this.#tidy()
    this.#details = this.#readAllDetails()
  }

  /** Removes what processes that were killed had begun to write. */
  async #tidy(): Promise<void> {
    const interrupted = [...this.#tasks.values()].flatMap(({ entry, own, folder }) =>
      folder !== null && entry.status === 'running' && own !== null && !this.#isOthers(own) ? [folder] : [],
    )
    for (const folder of [
      this.home,
      parentOf(this.home, 'foreground'),
      parentOf(this.home, 'background'),
      ...interrupted,
    ]) {
      await removeAbandoned(folder).catch((error: unknown) =>
        this.#options.log(`What a process left behind in ${folder} could not be removed`, error),
      )
    }
  }

  /** The task.json files that #load left out. */
  async #readAllDetails(): Promise<void> {
    for (const ids = [...this.#unread]; ids.length > 0 && !this.#isClosed;) {
      await this.readDetails(ids.splice(0, READ_BATCH))
      await nextTurn()
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#reading.then(work)
    this.#reading = done.catch((error: unknown) => this.#options.log('The tasks could not be read again', error))
    return done
  }

  /** Takes over what others wrote; resolves to whether tasks.json exists. @param options.everything as in #absorb */
  #readNext({ everything }: { everything: boolean }): Promise<boolean> {
    return this.#inTurn(async () => {
      let found: { registry: Registry; exists: boolean }
      try {
        found = await this.#registry.read()
      } catch (error) {
        this.#setProblem(error)
        return true
      }
      this.#setProblem(undefined, found.registry)
      // After the registry: a task's folder is there before its entry.
      await this.#absorb(found.registry, await this.#folders.list(), everything)
      this.#absorbed = found.registry
      return found.exists
    })
  }

  /** @param everything also reads the task.json of each entry that is new or different */
  async #absorb({ entries }: Registry, folders: ReadonlyMap<string, TaskType>, everything: boolean): Promise<void> {
    const read: [string, JsonObject | undefined][] = []
    const changed: string[] = []
    const pathOf = (id: string) => {
      const type = folders.get(id)
      return type === undefined ? null : join(parentOf(this.home, type), id)
    }
    let count = 0
    for (const [id, listed] of entries) {
      if (++count % 1000 === 0 && everything) await nextTurn()
      const known = this.#tasks.get(id)
      const isSame =
        known?.listed !== undefined && (known.listed === listed || printEntry(known.listed) === printEntry(listed))
      if (known && isSame && known.folder === pathOf(id)) this.#tasks.set(id, { ...known, listed })
      else if (everything || mayBeAhead(listed)) read.push([id, listed])
      else {
        this.#take(id, listed, pathOf(id), undefined)
        this.#unread.add(id)
        changed.push(id)
      }
    }
    for (const id of folders.keys()) if (!entries.has(id)) read.push([id, undefined])
    for (const [id, { folder }] of [...this.#tasks]) {
      // One that was made just now is in no list yet.
      if (entries.has(id) || folders.has(id) || (folder !== null && (await exists(folder)))) continue
      this.#tasks.delete(id)
      this.#sorted = undefined
      changed.push(id)
    }
    for (let from = 0; from < read.length; from += READ_BATCH) {
      await Promise.all(
        read.slice(from, from + READ_BATCH).map(([id, listed]) => this.#resolve(id, listed, pathOf(id))),
      )
    }
    this.#notify([...changed, ...read.map(([id]) => id)])
  }

  async #resolve(id: string, listed: JsonObject | undefined, folder: string | null): Promise<void> {
    this.#take(id, listed, folder, folder === null ? undefined : await readTaskState(folder))
  }

  #take(id: string, listed: JsonObject | undefined, folder: string | null, file: TaskFile | string | undefined): void {
    const known = this.#tasks.get(id)
    const runsHere = known !== undefined && known.entry.status === 'running' && this.isOwnedHere(known)
    const task = mergeTask({ id, listed, folder, file, known, runsHere })
    this.#put(id, task)
    this.#leftToOthers.delete(id)
    const { entry, own } = task
    if (own === null || entry === listed) return
    if (this.#isOthers(own)) {
      this.#leftToOthers.add(id)
      return
    }
    // One that was made here just now was never in the list.
    if (listed === undefined && (known === undefined || known.listed !== undefined)) {
      this.#options.log(`${REGISTRY} had no entry of ${id}; it has one again.`)
      void this.#note(folder, `its entry in ${REGISTRY} was gone, and is put back`)
    }
    // Counts of tasks that run here are always ahead of the list.
    this.#writer.schedule(id, listed?.status === entry.status ? 'count' : 'state')
  }

  /** Whether another process that is alive has it, and writes its entry. */
  #isOthers({ owner }: OwnPart): boolean {
    return owner !== null && !isSameProcess(owner, this.#options.self) && childIsAlive(owner)
  }

  async #note(folder: string | null, line: string): Promise<void> {
    if (folder !== null)
      await appendLog(folder, line, Date.now()).catch((error: unknown) =>
        this.#options.log('A task’s log could not be written', error),
      )
  }

  #noteWritten(ids: ReadonlySet<string>, entries: ReadonlyMap<string, JsonObject>, found: Registry): void {
    for (const id of ids) this.#update(id, { listed: entries.get(id) })
    if (found === this.#absorbed) this.#absorbed = this.#registry.current
    else this.#watcher.scheduleRefresh()
  }

  /** Other programs show the tasks that they make in tasks.json, which may be newer than what was taken over. */
  async #readHighestCounter(): Promise<number> {
    // One that does not parse names no ids that are not known from before.
    const registry = await this.#registry.read(0).catch(() => undefined)
    let highest = this.#highestCounter
    if (registry && registry.registry !== this.#absorbed)
      for (const id of registry.registry.entries.keys()) highest = Math.max(highest, counterOf(id))
    return highest
  }

  #put(id: string, task: KnownTask): void {
    if (!this.#tasks.has(id)) {
      this.#sorted = undefined
      this.#highestCounter = Math.max(this.#highestCounter, counterOf(id))
    }
    this.#tasks.set(id, task)
  }

  #update(id: string, changes: Partial<KnownTask>): void {
    const known = this.#tasks.get(id)
    if (known) this.#tasks.set(id, { ...known, ...changes })
  }

  #forget(id: string): void {
    this.#tasks.delete(id)
    this.#writer.forget(id)
    this.#sorted = undefined
    this.#notify([id])
  }

  #notify(ids: readonly string[]): void {
    if (ids.length > 0) this.#options.onChange(ids)
  }

  #setProblem(error: unknown, registry?: Registry): void {
    const before = JSON.stringify(this.problems)
    if (error === undefined) this.#problem = undefined
    else {
      const { message, hint } = toFailure(error)
      this.#problem = {
        file: REGISTRY,
        message,
        hint: hint ?? 'Nothing is written to it until it is whole; the tasks are shown as they were last read.',
      }
      if (!(error instanceof AppError)) this.#options.log('tasks.json could not be used', error)
    }
    if (registry)
      this.#notices = registry.notices
        .slice(0, MAX_NOTICES)
        .map((message) => ({ file: REGISTRY, message: message.slice(0, 2000), hint: null }))
    if (JSON.stringify(this.problems) !== before) this.#options.onProblems(this.problems)
  }

  #readThoseOfOthers(): void {
    // Their processes may have ended since, and left it to whoever is there.
    for (const id of this.#leftToOthers) this.#unread.add(id)
    this.readDetails([...this.#unread]).catch((error: unknown) =>
      this.#options.log('The tasks could not be read again', error),
    )
  }

  async #refresh(): Promise<void> {
    await this.ensureTasksLoaded()
    if (this.#isClosed || !(await this.#isStale())) return
    await this.#readNext({ everything: true })
  }

  async #isStale(): Promise<boolean> {
    if (this.#registry.current !== this.#absorbed || (await this.#registry.isChanged())) return true
    const folders = await this.#folders.list()
    if (folders === this.#comparedFolders) return false
    for (const id of folders.keys()) if (!this.#tasks.has(id)) return true
    for (const [id, { folder }] of this.#tasks) if ((folder !== null) !== folders.has(id)) return true
    this.#comparedFolders = folders
    return false
  }
}

/** Whether task.json may say something newer: of a task that ended it is read later. */
const mayBeAhead = ({ status }: JsonObject): boolean =>
  status !== 'completed' && status !== 'stopped' && status !== 'error'

const isSameProcess = (one: ProcessIdentity | null | undefined, other: ProcessIdentity): boolean =>
  one?.pid === other.pid && Math.abs(one.startedAt - other.startedAt) < 5_000

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined
