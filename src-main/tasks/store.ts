/**
 * The tasks of one state home, as spec 001 keeps them. In memory is the truth of what runs here; task.json is written at
 * each change before it counts; tasks.json follows. Other programs write both files too: their entries and fields stay
 * as they are, and what a whole-file write of theirs dropped of ours is put back.
 */
import { watch, type FSWatcher } from 'node:fs'
import { lstat, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import type { OrphanKind, TaskProblem, TaskType } from '@shared/contract/tasks'
import { describeFileError } from '../files/fileErrors'
import { isJsonObject, parseJson, printJson, type JsonObject } from '@shared/json'
import { ProcessLock } from '../files/processLock'
import { removeAbandoned, replaceFile, stagingName } from '../files/stagedWrite'
import { childIsAlive } from '../storage/children'
import {
  changeEntry,
  newEntry,
  readEntry,
  readTaskFile,
  taskFileOf,
  type EntryChanges,
  type NewTask,
  type OwnPart,
  type ProcessIdentity,
  type TaskFile,
} from './entry'
import { HighestCounter, parentOf, TaskFolders } from './folders'
import { REGISTRY, type Registry, printEntry } from './registryFile'
import { RegistryOnDisk } from './registryOnDisk'
import { appendLog } from './taskFolder'
import { compareIds, counterOf, folderOf, isFolderName, makeTaskId } from './taskId'

export interface StoredTask {
  /** Its fields in tasks.json, also those of other programs. */
  readonly entry: JsonObject
  /** Null in a task of another program. */
  readonly own: OwnPart | null
  readonly orphan: OrphanKind | null
  /** Its folder on this computer; null when there is none. */
  readonly folder: string | null
  /** What is odd about it, in one sentence each. */
  readonly notices: readonly string[]
}

interface Known extends StoredTask {
  /** The entry as tasks.json has it. */
  readonly listed: JsonObject | undefined
}

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

/** What is asked of tasks.json: `state` within 100 ms, `count` when it is cheap. */
type Urgency = 'state' | 'count'

/** After a change of state tasks.json is written this late, ms, so that changes at the same time go out together. */
const STATE_DELAY = 50

/** What counts of iterations may write into tasks.json, bytes/s, and how often at most, ms. */
const COUNT_RATE = 1_000_000
const COUNT_DELAY = 1_000

/** After an error of the disk or the file, ms. */
const RETRY_DELAY = 1_000

/** Changes of others within this time are read together, ms; and reading takes a tenth of the time at most. */
const QUIET = 30
const SHARE_OF_READING = 0.1

/** How old the list of folders may be that a new id is chosen by, ms. */
const FOLDERS_AGE = 1_000

/** Where the system tells of no changes, they are looked for, ms. */
const LOOK = 5_000

/** Tasks whose files are read at the same time. */
const BATCH = 64

/** Larger ones are no task's, bytes. */
const LARGEST_TASK_FILE = 1024 * 1024

export class TaskStore {
  readonly home: string
  readonly #options: StoreOptions
  readonly #tasks = new Map<string, Known>()
  readonly #registry: RegistryOnDisk
  readonly #folders: TaskFolders
  readonly #counter: HighestCounter
  readonly #lock: ProcessLock
  readonly #dirty = new Map<string, Urgency>()
  /** The last write of each task that is being written. */
  readonly #writing = new Map<string, Promise<unknown>>()
  #sorted: string[] | undefined
  #loading: Promise<void> | undefined
  #details: Promise<void> = Promise.resolve()
  /** What is taken over from disk comes one after the other, so that nothing older comes after something newer. */
  #reading: Promise<unknown> = Promise.resolve()
  /** What was taken over last. */
  #absorbed: Registry | undefined
  /** Tasks whose entry differs from their task.json, and whose own process is to mend that. */
  readonly #leftToOthers = new Set<string>()
  /** Tasks whose task.json is still to be read. */
  readonly #unread = new Set<string>()
  #flushTimer: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined
  /** Until the refresh is done. */
  #refreshTimer: NodeJS.Timeout | undefined
  /** Something changed while a refresh was under way or near. */
  #isSeenSince = false
  #quiet = QUIET
  #watchers: FSWatcher[] = []
  #clock: NodeJS.Timeout | undefined
  #problem: TaskProblem | undefined
  #notices: readonly TaskProblem[] = []
  #isClosed = false

  constructor(options: StoreOptions) {
    this.#options = options
    this.home = options.home
    this.#registry = new RegistryOnDisk(options.home)
    this.#folders = new TaskFolders(options.home)
    this.#counter = new HighestCounter(options.home)
    this.#lock = new ProcessLock(join(options.home, '.bridgedeck.lock'))
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
      this.#tell(unread.filter((id) => this.#tasks.get(id)?.own))
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
    return this.#lock.hold(async () => {
      // One that does not parse names no ids that are not known from before, or as folders.
      const { registry } = await this.#registry.read(0).catch(() => ({ registry: this.#absorbed }))
      // Of our own processes the counter tells; others show theirs in the registry too.
      const folders = await this.#folders.list(FOLDERS_AGE)
      const own: OwnPart = { machine, owner: this.#options.self, revision: 1 }
      for (;;) {
        const id = makeTaskId(
          await this.#counter.next([...(registry?.entries.keys() ?? []), ...this.#tasks.keys(), ...folders.keys()]),
          task.name,
        )
        const entry = newEntry(id, task)
        const folder = join(parentOf(this.home, task.type), id)
        const temporary = stagingName(folder)
        await mkdir(temporary)
        await replaceFile(join(temporary, 'task.json'), printJson(taskFileOf(entry, folderOf(task.type, id), own)))
        await appendLog(temporary, 'started', task.startedAt)
        if (!(await renameToNew(temporary, folder))) continue
        this.#folders.add(id, task.type)
        this.#put(id, { entry, own, orphan: null, folder, notices: [], listed: undefined })
        this.#tell([id])
        this.#needRegistry(id, 'state')
        return id
      }
    })
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
    this.#tell([id])
    return this.#inOrder(id, async () => {
      await this.#writeTaskFile(id)
      this.#needRegistry(id, urgency)
    })
  }

  /**
   * Makes this process the one that runs a task whose process is gone.
   * @throws AppError CONFLICT when another process has just taken it
   */
  async claim(id: string): Promise<void> {
    await this.#lock.hold(async () => {
      const { own, folder, entry } = this.require(id)
      const file = folder === null ? undefined : await readTaskJson(folder)
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
    await this.#flushNow(new Set([id]))
    this.#tell([id])
  }

  /** Drops an entry whose folder is not there. */
  async removeEntry(id: string): Promise<void> {
    if (this.require(id).orphan !== 'noFolder')
      throw new AppError('CONFLICT', `${id} has a folder.`, { hint: 'Delete the task instead.' })
    await this.#flushNow(new Set(), new Set([id]))
    this.#forget(id)
  }

  /** Deletes a task with all that is in its folder. */
  async delete(id: string): Promise<void> {
    const { folder } = this.require(id)
    const aside = folder === null ? undefined : stagingName(folder)
    await this.#inOrder(id, async () => {
      // Read once more: without the registry the folder must stay as well.
      await this.#registry.read()
      if (folder !== null && aside !== undefined) await rename(folder, aside)
      await this.#flushNow(new Set(), new Set([id]))
    })
    this.#forget(id)
    if (aside !== undefined) await rm(aside, { recursive: true, force: true })
  }

  /** Resolves when tasks.json holds all that was changed until now; it may not, and then that stands in the problems. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#writing.values())
    await this.#flush()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const watcher of this.#watchers) watcher.close()
    clearInterval(this.#clock)
    clearTimeout(this.#refreshTimer)
    await this.#loading?.catch(() => undefined)
    await this.#details
    await this.#reading
    await this.flush()
    clearTimeout(this.#flushTimer?.timer)
    await this.#lock.close()
  }

  // Reading

  async #load(): Promise<void> {
    await mkdir(parentOf(this.home, 'background'), { recursive: true, mode: 0o700 })
    // Before anything is read, so that no change falls between the two.
    if (this.#watchers.length === 0) this.#watch()
    const exists = await this.#readNext({ everything: false })
    if (!exists) await this.#flushNow(new Set())
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
      await this.readDetails(ids.splice(0, BATCH))
      await breathe()
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
      if (++count % 1000 === 0 && everything) await breathe()
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
    for (let from = 0; from < read.length; from += BATCH) {
      await Promise.all(read.slice(from, from + BATCH).map(([id, listed]) => this.#resolve(id, listed, pathOf(id))))
    }
    this.#tell([...changed, ...read.map(([id]) => id)])
  }

  async #resolve(id: string, listed: JsonObject | undefined, folder: string | null): Promise<void> {
    this.#take(id, listed, folder, folder === null ? undefined : await readTaskJson(folder))
  }

  /** Of the versions of a task on disk and in memory the one with the higher revision counts. A text as `file` says what is wrong with it. */
  #take(id: string, listed: JsonObject | undefined, folder: string | null, file: TaskFile | string | undefined): void {
    const known = this.#tasks.get(id)
    const onDisk = typeof file === 'object' ? file : undefined
    const isKept = known !== undefined && this.#isKept(known, onDisk?.own ?? null, typeof file === 'string')
    const own = isKept ? known.own : (onDisk?.own ?? null)
    const fields = isKept ? known.entry : own !== null || listed === undefined ? onDisk?.entry : undefined
    const merged: JsonObject = { ...(listed ?? unknownEntry(id, folder)), ...fields, id }
    const entry = listed !== undefined && printEntry(merged) === printEntry(listed) ? listed : merged
    this.#put(id, {
      entry,
      own,
      orphan: own === null && listed === undefined ? 'noEntry' : folder === null ? 'noFolder' : null,
      folder,
      notices: [...oddities(id, listed), ...(typeof file === 'string' ? [file] : [])],
      listed,
    })
    this.#leftToOthers.delete(id)
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
    this.#needRegistry(id, listed?.status === entry.status ? 'count' : 'state')
  }

  /** Whether what is in memory counts, and not what is on disk. */
  #isKept(known: Known, disk: OwnPart | null, isUnreadable: boolean): boolean {
    if (known.own === null) return false
    return this.#runsHere(known) || isUnreadable || (disk !== null && disk.revision < known.own.revision)
  }

  /** Whether another process that is alive has it, and writes its entry. */
  #isOthers({ owner }: OwnPart): boolean {
    return owner !== null && !isSameProcess(owner, this.#options.self) && childIsAlive(owner)
  }

  #runsHere(task: StoredTask): boolean {
    return task.entry.status === 'running' && this.isOwnedHere(task)
  }

  async #note(folder: string | null, line: string): Promise<void> {
    if (folder !== null)
      await appendLog(folder, line, Date.now()).catch((error: unknown) =>
        this.#options.log('A task’s log could not be written', error),
      )
  }

  // Writing

  async #writeTaskFile(id: string): Promise<void> {
    const { entry, own, folder } = this.require(id)
    if (folder === null) return
    const path = join(folder, 'task.json')
    try {
      if (own) await replaceFile(path, printJson(taskFileOf(entry, readEntry(entry).folder ?? '', own)))
      else {
        // Of another program: what it wrote beside the entry's fields stays.
        const json = parseJson(await readFile(path, 'utf8').catch(() => '{}'), 'task.json')
        await replaceFile(path, printJson({ ...(isJsonObject(json) ? json : {}), ...entry }))
      }
    } catch (error) {
      throw new AppError('INTERNAL', `The state of ${id} could not be written.`, {
        hint: 'Look at the disk’s room and the folder’s permissions.',
        cause: error,
      })
    }
  }

  #inOrder<T>(id: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#writing.get(id) ?? Promise.resolve()).then(work)
    const settled = done.then(
      () => undefined,
      () => undefined,
    )
    this.#writing.set(id, settled)
    void settled.then(() => {
      if (this.#writing.get(id) === settled) this.#writing.delete(id)
    })
    return done
  }

  #needRegistry(id: string, urgency: Urgency): void {
    if (this.#dirty.get(id) !== 'state') this.#dirty.set(id, urgency)
    this.#flushIn(urgency === 'state' ? STATE_DELAY : Math.max(COUNT_DELAY, (this.#registry.size / COUNT_RATE) * 1000))
  }

  #flushIn(delay: number): void {
    const at = performance.now() + delay
    if (this.#flushTimer && this.#flushTimer.at <= at) return
    clearTimeout(this.#flushTimer?.timer)
    this.#flushTimer = { timer: setTimeout(() => void this.#flush(), delay), at }
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#flushTimer?.timer)
    this.#flushTimer = undefined
    const ids = new Set(this.#dirty.keys())
    if (ids.size === 0) return
    this.#dirty.clear()
    try {
      await this.#flushNow(ids)
      if (this.#problem) this.#setProblem(undefined)
    } catch (error) {
      this.#setProblem(error)
      for (const id of ids) this.#dirty.set(id, 'state')
      if (!this.#isClosed) this.#flushIn(RETRY_DELAY)
    }
  }

  /** Puts these tasks into tasks.json, and takes those out of it. @throws AppError when it does not parse or cannot be written */
  #flushNow(put: ReadonlySet<string>, drop: ReadonlySet<string> = new Set()): Promise<void> {
    return this.#lock.hold(async () => {
      const { found, entries } = await this.#registry.rewrite((found) => {
        const next = new Map(found.entries)
        for (const id of put) {
          const known = this.#tasks.get(id)
          if (!known) continue
          const before = found.entries.get(id)
          const entry = before ? { ...before, ...known.entry } : known.entry
          next.set(id, before && printEntry(before) === printEntry(entry) ? before : entry)
        }
        for (const id of drop) next.delete(id)
        return next
      })
      for (const id of put) {
        const known = this.#tasks.get(id)
        if (known) this.#tasks.set(id, { ...known, listed: entries.get(id) })
      }
      if (found === this.#absorbed) this.#absorbed = this.#registry.current
      else this.#refreshSoon()
    })
  }

  // Changes

  #put(id: string, task: Known): void {
    if (!this.#tasks.has(id)) this.#sorted = undefined
    this.#tasks.set(id, task)
  }

  #update(id: string, changes: Partial<Known>): void {
    const known = this.#tasks.get(id)
    if (known) this.#tasks.set(id, { ...known, ...changes })
  }

  #forget(id: string): void {
    this.#tasks.delete(id)
    this.#dirty.delete(id)
    this.#sorted = undefined
    this.#tell([id])
  }

  #tell(ids: readonly string[]): void {
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
        .slice(0, 20)
        .map((message) => ({ file: REGISTRY, message: message.slice(0, 2000), hint: null }))
    if (JSON.stringify(this.problems) !== before) this.#options.onProblems(this.problems)
  }

  /** The folders themselves, not those below: a home may hold ten thousand tasks. */
  #watch(): void {
    for (const folder of [this.home, parentOf(this.home, 'foreground'), parentOf(this.home, 'background')]) {
      try {
        const watcher = watch(folder, (_event, name) => this.#seen(folder, name))
        watcher.on('error', (error) =>
          this.#options.log(`${folder} can no longer be watched; it is looked at every ${LOOK / 1000} s.`, error),
        )
        this.#watchers.push(watcher)
      } catch (error) {
        this.#options.log(`${folder} cannot be watched; it is looked at every ${LOOK / 1000} s.`, error)
      }
    }
    this.#clock = setInterval(() => {
      // Their processes may have ended since, and left it to whoever is there.
      for (const id of this.#leftToOthers) this.#unread.add(id)
      this.readDetails([...this.#unread]).catch((error: unknown) =>
        this.#options.log('The tasks could not be read again', error),
      )
      this.#refreshSoon()
    }, LOOK).unref()
  }

  #seen(folder: string, name: string | null): void {
    if (name === null || (folder === this.home ? name === REGISTRY : !name.startsWith('.') && name !== 'background'))
      this.#refreshSoon()
  }

  #refreshSoon(): void {
    this.#isSeenSince = this.#refreshTimer !== undefined
    if (this.#isClosed) return
    this.#refreshTimer ??= setTimeout(() => {
      const start = performance.now()
      void this.#refreshIfChanged()
        .catch((error: unknown) => this.#options.log('The tasks could not be read again', error))
        .then(() => {
          this.#refreshTimer = undefined
          this.#quiet = Math.max(QUIET, (performance.now() - start) / SHARE_OF_READING)
          if (this.#isSeenSince) this.#refreshSoon()
        })
    }, this.#quiet)
  }

  async #refreshIfChanged(): Promise<void> {
    await this.ensureTasksLoaded()
    if (this.#isClosed || !(await this.#isStale())) return
    await this.#readNext({ everything: true })
  }

  async #isStale(): Promise<boolean> {
    if (this.#registry.current !== this.#absorbed || (await this.#registry.isChanged())) return true
    const folders = await this.#folders.list()
    for (const id of folders.keys()) if (!this.#tasks.has(id)) return true
    for (const [id, { folder }] of this.#tasks) if ((folder !== null) !== folders.has(id)) return true
    return false
  }
}

/** False when something is there already. */
async function renameToNew(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    await rm(from, { recursive: true, force: true })
    if (
      error instanceof Error &&
      'code' in error &&
      (error.code === 'ENOTEMPTY' || error.code === 'EEXIST' || error.code === 'ENOTDIR')
    )
      return false
    throw error
  }
}

/** A text says why it cannot be read; undefined that there is none. */
async function readTaskJson(folder: string): Promise<TaskFile | string | undefined> {
  const path = join(folder, 'task.json')
  const found = await lstat(path).catch(() => undefined)
  if (!found) return undefined
  if (!found.isFile() || found.size > LARGEST_TASK_FILE) return 'task.json is no file of a task, and is not read.'
  try {
    return readTaskFile(parseJson(await readFile(path, 'utf8'), 'task.json')) ?? 'task.json: an object was expected.'
  } catch (error) {
    return toFailure(error).message
  }
}

/** Whether task.json may say something newer: of a task that ended it is read later. */
const mayBeAhead = ({ status }: JsonObject): boolean =>
  status !== 'completed' && status !== 'stopped' && status !== 'error'

const isSameProcess = (one: ProcessIdentity | null | undefined, other: ProcessIdentity): boolean =>
  one?.pid === other.pid && Math.abs(one.startedAt - other.startedAt) < 5_000

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined

function oddities(id: string, listed: JsonObject | undefined): string[] {
  return [
    ...(isFolderName(id) ? [] : ['Its id is no name of a folder; nothing is read or written for it.']),
    ...(listed && typeof listed.folder === 'string' && !isExpectedFolder(id, listed.folder)
      ? ['Its entry names another folder than its own; that one is not used.']
      : []),
  ]
}

const isExpectedFolder = (id: string, folder: string): boolean =>
  folder === folderOf('foreground', id) || folder === folderOf('background', id)

/** What is known of a folder without a readable task.json. */
function unknownEntry(id: string, folder: string | null): JsonObject {
  const type: TaskType = folder !== null && basename(dirname(folder)) === 'background' ? 'background' : 'foreground'
  const name = counterOf(id) > 0 ? id.slice(id.indexOf('_') + 1) : id
  return { id, name, type, operation: '', args: {}, status: 'unknown', folder: folderOf(type, id) }
}
