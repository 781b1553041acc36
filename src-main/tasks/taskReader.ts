/**
 * Other programs write tasks.json and task.json too: their entries and fields stay as they are, and what they dropped
 * of ours is put back.
 */
import { lstat, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TaskType } from '@shared/contract/tasks'
import type { JsonObject } from '@shared/json'
import { toFailure } from '@shared/contract/errors'
import { describeFileError } from '../files/fileErrors'
import { removeAbandoned } from '../files/stagedWrite'
import { readEntry, type ProcessIdentity } from './entry'
import { parentOf, type FolderTypes, type TaskFolders } from './folders'
import { HomeWatcher } from './homeWatcher'
import { mergeTask, type KnownTask } from './mergeTask'
import type { Deletion } from './ownCopies'
import { isOwnedBy, isOwnedByOther } from './owner'
import { noEntries, printEntry, REGISTRY, type Registry } from './registryFile'
import type { RegistryOnDisk } from './registryOnDisk'
import type { RegistryProblems } from './registryProblems'
import type { RegistryWriter } from './registryWriter'
import { counterOf, folderOf } from './taskId'
import { appendLog } from './taskFolder'
import type { FoundState, TaskStates } from './taskState'
import type { TaskTable } from './taskTable'

export interface TaskReaderOptions {
  readonly home: string
  readonly self: ProcessIdentity
  readonly tasks: TaskTable
  readonly registry: RegistryOnDisk
  readonly writer: Pick<RegistryWriter, 'schedule' | 'write'>
  readonly folders: TaskFolders
  readonly states: TaskStates
  readonly putBack: (id: string) => Promise<void>
  readonly problems: RegistryProblems
  readonly onChange: (ids: readonly string[]) => void
  readonly onClock: () => void
  readonly log: (message: string, error?: unknown) => void
}

const SUSPECT_CHECKS = 2

const READ_BATCH = 64

export class TaskReader {
  readonly #options: TaskReaderOptions
  readonly #watcher: HomeWatcher
  #details: Promise<void> = Promise.resolve()
  /** Reads run one after the other, so that nothing older comes after something newer. */
  #reading: Promise<unknown> = Promise.resolve()
  #isWhole = true
  #absorbed: Registry | undefined
  #comparedFolders: FolderTypes | undefined
  readonly #leftToOthers = new Set<string>()
  readonly #suspects = new Map<string, number>()
  readonly #notedPutBack = new Set<string>()
  #deletions = new Map<string, Deletion>()
  readonly #unread = new Set<string>()
  #loading: Promise<void> | undefined
  #isClosed = false

  constructor(options: TaskReaderOptions) {
    this.#options = options
    const { home, log } = options
    this.#watcher = new HomeWatcher({
      home,
      log,
      refresh: () => this.#refresh(),
      onClock: () => {
        this.#readThoseOfOthers()
        options.onClock()
      },
    })
  }

  /**
   * Reads tasks.json and what may be newer, and makes an empty file when there is none. Other task.json files are read
   * afterwards. May be called again.
   * @throws AppError when the home cannot be made or read
   */
  ensureLoaded(): Promise<void> {
    return (this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined
      throw describeFileError(error, basename(this.#options.home), 'written')
    }))
  }

  async readDetails(ids?: readonly string[]): Promise<void> {
    await this.ensureLoaded()
    if (ids === undefined) return this.#details
    if (!ids.some((id) => this.#unread.has(id))) return
    await this.#inTurn(async () => {
      const unread = ids.filter((id) => this.#unread.has(id) && this.#options.tasks.has(id))
      await Promise.all(
        unread.map((id) =>
          this.#resolve(id, this.#options.tasks.get(id)?.listed, this.#options.folders.known.get(id) ?? []),
        ),
      )
      // Not earlier: a second caller meanwhile waits for the same reading.
      for (const id of ids) this.#unread.delete(id)
      this.#notify(unread.filter((id) => this.#options.tasks.get(id)?.own))
    })
  }

  noteDeleted(id: string, deletion: Deletion): void {
    this.#deletions.set(id, deletion)
  }

  async reread(): Promise<void> {
    await this.#readNext({ everything: true })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#watcher.close()
    await this.#loading?.catch(() => undefined)
    await this.#details
    await this.#reading
  }

  noteRewritten(found: Registry): void {
    if (found === this.#absorbed) this.#absorbed = this.#options.registry.current
    else this.#watcher.scheduleRefresh()
  }

  /** Other programs show their tasks in tasks.json, which may be newer than what was taken over. */
  async readHighestCounter(): Promise<number> {
    const { registry, tasks } = this.#options
    // A file that does not parse names no ids beyond those already known.
    const read = await registry.read(0).catch(() => undefined)
    let highest = tasks.highestCounter
    if (read && read.registry !== this.#absorbed)
      for (const id of read.registry.entries.keys()) highest = Math.max(highest, counterOf(id))
    return highest
  }

  async #load(): Promise<void> {
    await mkdir(parentOf(this.#options.home, 'background'), { recursive: true, mode: 0o700 })
    // Before anything is read, so that no change falls between the two.
    this.#watcher.start()
    this.#deletions = await this.#options.states.copies.deletions()
    const exists = await this.#readNext({ everything: false })
    if (!exists) await this.#options.writer.write(new Set())
    await this.#tidy()
    this.#details = this.#readAllDetails()
  }

  async #tidy(): Promise<void> {
    await this.#options.states.copies.tidy()
    const interrupted = [...this.#options.tasks].flatMap(([, { entry, own, folder }]) =>
      folder !== null && entry.status === 'running' && own !== null && !isOwnedByOther(this.#options.self, own)
        ? [folder]
        : [],
    )
    for (const folder of [
      this.#options.home,
      parentOf(this.#options.home, 'foreground'),
      parentOf(this.#options.home, 'background'),
      ...interrupted,
    ]) {
      await removeAbandoned(folder, { isOurs: true }).catch((error: unknown) =>
        this.#options.log(`What a process left behind in ${folder} could not be removed`, error),
      )
    }
  }

  async #readAllDetails(): Promise<void> {
    for (const ids = [...this.#unread]; ids.length > 0 && !this.#isClosed;) {
      await this.readDetails(ids.splice(0, READ_BATCH))
      await nextTurn()
    }
    await this.#copyOwn().catch((error: unknown) => this.#options.log('Tasks could not be kept apart', error))
  }

  /** An earlier version kept no copies. */
  async #copyOwn(): Promise<void> {
    const { self, states, home, tasks } = this.#options
    const copied = await states.copies.ids()
    const parent = parentOf(home, 'background')
    for (const [id, { own, folder, entry }] of [...tasks]) {
      if (this.#isClosed) return
      if (own === null || folder !== join(parent, id) || copied.has(id) || isOwnedByOther(self, own)) continue
      await states.copy(folder, entry, own)
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#reading.then(work)
    this.#reading = done.catch((error: unknown) => this.#options.log('The tasks could not be read again', error))
    return done
  }

  #readNext({ everything }: { everything: boolean }): Promise<boolean> {
    return this.#inTurn(async () => {
      let found: { registry: Registry; exists: boolean }
      try {
        found = await this.#options.registry.read()
      } catch (error) {
        this.#options.problems.noteFailure(error)
        this.#isWhole = false
        await this.#absorbFolders(error)
        return true
      }
      this.#isWhole = true
      this.#options.problems.noteSuccess(found.registry)
      // The folders after the registry, as a task's folder is there before its entry.
      await this.#absorb(found.registry, await this.#options.folders.list(), everything)
      this.#absorbed = found.registry
      return found.exists
    })
  }

  async #absorbFolders(error: unknown): Promise<void> {
    if (this.#absorbed !== undefined || toFailure(error).details?.damaged !== true) return
    await this.#absorb(noEntries, await this.#options.folders.list(), true)
  }

  async #absorb({ entries }: Registry, folders: FolderTypes, everything: boolean): Promise<void> {
    const read: [string, JsonObject | undefined][] = []
    const changed: string[] = []
    const typesOf = (id: string) => folders.get(id) ?? []
    let count = 0
    const echoes = new Set<string>()
    for (const [id, listed] of entries) {
      if (this.#isEcho(id, listed)) {
        echoes.add(id)
        continue
      }
      if (++count % 1000 === 0 && everything) await nextTurn()
      const known = this.#options.tasks.get(id)
      const isSame =
        known?.listed !== undefined && (known.listed === listed || printEntry(known.listed) === printEntry(listed))
      const [type, second] = typesOf(id)
      if (known && isSame && this.#isStillAt(id, known, typesOf(id))) this.#options.tasks.update(id, { listed })
      else if (everything || second !== undefined || mayBeAhead(listed)) read.push([id, listed])
      else {
        const folder = type === undefined ? null : join(parentOf(this.#options.home, type), id)
        this.#take(id, listed, { folder, file: undefined, notices: [] })
        this.#unread.add(id)
        changed.push(id)
      }
    }
    for (const [id, types] of folders)
      if (!entries.has(id) && !(await this.#isEchoFolder(id, types))) read.push([id, undefined])
    if (echoes.size > 0)
      this.#options.writer
        .write(new Set(), echoes, (id, entry) => this.#isEcho(id, entry))
        .catch((error: unknown) => this.#options.log(`Deleted tasks could not be taken out of ${REGISTRY}`, error))
    for (const [id, known] of [...this.#options.tasks]) {
      const { folder } = known
      // A task that was made just now is in no list yet.
      if (this.#runsHere(known) || entries.has(id) || folders.has(id) || (folder !== null && (await exists(folder))))
        continue
      this.#options.tasks.delete(id)
      changed.push(id)
    }
    for (let from = 0; from < read.length; from += READ_BATCH) {
      await Promise.all(
        read.slice(from, from + READ_BATCH).map(([id, listed]) => this.#resolve(id, listed, typesOf(id))),
      )
    }
    this.#notify([...changed, ...read.map(([id]) => id)])
  }

  #isEcho(id: string, entry: JsonObject): boolean {
    const deletion = this.#deletions.get(id)
    if (!deletion || this.#options.tasks.has(id)) return false
    const { startedAt, folder, status } = readEntry(entry)
    return (
      status !== 'running' && startedAt !== null && startedAt <= deletion.time && folder === folderOf(deletion.type, id)
    )
  }

  async #isEchoFolder(id: string, types: readonly TaskType[]): Promise<boolean> {
    if (!this.#deletions.has(id)) return false
    const { file } = await this.#options.states.find(id, types)
    return typeof file === 'object' && file.own === null && this.#isEcho(id, file.entry)
  }

  #isStillAt(id: string, { folder, own }: KnownTask, types: readonly TaskType[]): boolean {
    if (folder === null) return types.length === 0
    const isThere = types.some((type) => folder === join(parentOf(this.#options.home, type), id))
    // Of two folders with one id ours counts; it may have come since.
    return isThere && (types.length === 1 || own !== null)
  }

  async #resolve(id: string, listed: JsonObject | undefined, types: readonly TaskType[]): Promise<void> {
    const { self, states, tasks, putBack, log } = this.#options
    const found = await states.find(id, types)
    this.#take(id, listed, found)
    const own = tasks.get(id)?.own ?? null
    if (!found.isOverwritten || own === null || isOwnedByOther(self, own)) return
    await putBack(id).catch((error: unknown) => log(`task.json of ${id} could not be put back`, error))
  }

  #take(
    id: string,
    listed: JsonObject | undefined,
    { folder, file, notices }: Pick<FoundState, 'folder' | 'file' | 'notices'>,
  ): void {
    const known = this.#options.tasks.get(id)
    const task = mergeTask({ id, listed, folder, file, notices, known, runsHere: this.#runsHere(known) })
    this.#options.tasks.put(id, task)
    this.#leftToOthers.delete(id)
    const { entry, own } = task
    if (own === null || entry === listed) return
    this.#suspects.set(id, SUSPECT_CHECKS)
    if (isOwnedByOther(this.#options.self, own)) {
      this.#leftToOthers.add(id)
      return
    }
    // A task that was made here just now was never in the list.
    if (this.#isWhole && listed === undefined && (known === undefined || known.listed !== undefined)) {
      this.#notePutBack(id, folder)
    }
    this.#options.writer.schedule(id, listed?.status === entry.status ? 'count' : 'state')
  }

  #runsHere(known: KnownTask | undefined): boolean {
    return known?.entry.status === 'running' && isOwnedBy(this.#options.self, known.own)
  }

  /** Noted once, as another program may drop it again and again. */
  #notePutBack(id: string, folder: string | null): void {
    if (this.#notedPutBack.has(id)) return
    this.#notedPutBack.add(id)
    this.#options.log(`${REGISTRY} had no entry of ${id}; it has one again.`)
    void this.#note(folder, `its entry in ${REGISTRY} was gone, and is put back`)
  }

  async #note(folder: string | null, line: string): Promise<void> {
    if (folder !== null)
      await appendLog(folder, line, Date.now()).catch((error: unknown) =>
        this.#options.log('A task’s log could not be written', error),
      )
  }

  #notify(ids: readonly string[]): void {
    if (ids.length > 0) this.#options.onChange(ids)
  }

  #readThoseOfOthers(): void {
    // Their processes may have ended since, and left them to whoever is there.
    for (const id of this.#leftToOthers) this.#unread.add(id)
    // Another program writes task.json after tasks.json, which watching the folder does not show.
    for (const [id, checks] of this.#suspects) {
      this.#unread.add(id)
      if (checks > 1) this.#suspects.set(id, checks - 1)
      else this.#suspects.delete(id)
    }
    this.readDetails([...this.#unread]).catch((error: unknown) =>
      this.#options.log('The tasks could not be read again', error),
    )
  }

  async #refresh(): Promise<void> {
    await this.ensureLoaded()
    if (this.#isClosed || !(await this.#isStale())) return
    await this.#readNext({ everything: true })
  }

  async #isStale(): Promise<boolean> {
    if (this.#options.registry.current !== this.#absorbed || (await this.#options.registry.isChanged())) return true
    const folders = await this.#options.folders.list()
    if (folders === this.#comparedFolders) return false
    for (const id of folders.keys()) if (!this.#options.tasks.has(id) && !this.#deletions.has(id)) return true
    for (const [id, known] of this.#options.tasks) if (!this.#isStillAt(id, known, folders.get(id) ?? [])) return true
    this.#comparedFolders = folders
    return false
  }
}

const mayBeAhead = ({ status }: JsonObject): boolean =>
  status !== 'completed' && status !== 'stopped' && status !== 'error'

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined
