/** Memory is the truth of what runs here; task.json is written at each change before it counts; tasks.json follows. */
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { TaskProblem } from '@shared/contract/tasks'
import { stagingName } from '../files/stagedWrite'
import { NotifyTimer } from '../rpc/notifyTimer'
import {
  changeEntry,
  newEntry,
  readEntry,
  type EntryChanges,
  type NewTask,
  type OwnPart,
  type ProcessIdentity,
  type RecordedTotal,
} from './entry'
import { parentOf, TaskFolders } from './folders'
import { KeyedQueue } from '@shared/keyedQueue'
import type { StoredTask } from './mergeTask'
import { isOwnedBy, isOwnedByOther } from './owner'
import { REGISTRY } from './registryFile'
import { RegistryOnDisk } from './registryOnDisk'
import { RegistryProblems } from './registryProblems'
import { planRepair, type RepairPlan } from './registryRepair'
import { RegistryWriter, type Urgency } from './registryWriter'
import { TaskIds } from './taskIds'
import { TaskReader } from './taskReader'
import { TaskStates } from './taskState'
import { TaskTable } from './taskTable'
import { formatTimestamp } from './timestamps'

export type { StoredTask } from './mergeTask'

const RETRY_DELAY_MS = 2_000

export interface StoreOptions {
  readonly home: string
  readonly self: ProcessIdentity
  readonly log: (message: string, error?: unknown) => void
  readonly onChange: (ids: readonly string[]) => void
  readonly onProblems: (problems: readonly TaskProblem[]) => void
  readonly onClock?: () => void
}

interface ChangeOptions {
  readonly runs?: boolean
  readonly interrupted?: boolean
  readonly recorded?: RecordedTotal | undefined
}

export class TaskStore {
  readonly home: string
  readonly #self: ProcessIdentity
  readonly #onChange: (ids: readonly string[]) => void
  readonly #tasks = new TaskTable()
  readonly #problems: RegistryProblems
  readonly #registry: RegistryOnDisk
  readonly #writer: RegistryWriter
  readonly #folders: TaskFolders
  readonly #states: TaskStates
  readonly #taskIds: TaskIds
  readonly #reader: TaskReader
  /** Lock order: first the task's turn, then the registry's lock, never the other way. */
  readonly #writes = new KeyedQueue()
  readonly #unwritten = new Set<string>()
  readonly #retry = new NotifyTimer(RETRY_DELAY_MS, () => this.#writeAgain())

  constructor({ home, self, log, onChange, onProblems, onClock = () => undefined }: StoreOptions) {
    this.home = home
    this.#self = self
    this.#onChange = onChange
    this.#problems = new RegistryProblems({ onChange: onProblems, log })
    this.#registry = new RegistryOnDisk(home)
    this.#folders = new TaskFolders(home)
    this.#states = new TaskStates(home)
    this.#taskIds = new TaskIds(home)
    this.#writer = new RegistryWriter({
      registry: this.#registry,
      lockFile: join(home, '.bridgedeck.lock'),
      entryOf: (id) => this.#tasks.get(id)?.entry,
      onWritten: (ids, entries, found) => {
        for (const id of ids) this.#tasks.update(id, { listed: entries.get(id) })
        this.#reader.noteRewritten(found)
      },
      onOutcome: (error) => {
        if (error === undefined) this.#problems.noteSuccess()
        else this.#problems.noteFailure(error)
      },
    })
    this.#reader = new TaskReader({
      home,
      self,
      tasks: this.#tasks,
      registry: this.#registry,
      writer: this.#writer,
      folders: this.#folders,
      states: this.#states,
      putBack: (id) => this.#writes.run(id, () => this.#writeState(id)),
      problems: this.#problems,
      onChange,
      onClock,
      log,
    })
  }

  /**
   * Resolves when all tasks are known; their task.json files may be read later.
   * @throws AppError when the home cannot be made or read
   */
  ensureTasksLoaded(): Promise<void> {
    return this.#reader.ensureLoaded()
  }

  readDetails(ids?: readonly string[]): Promise<void> {
    return this.#reader.readDetails(ids)
  }

  get problems(): readonly TaskProblem[] {
    return this.#problems.all
  }

  /** By counter, then by name. */
  get ids(): readonly string[] {
    return this.#tasks.ids
  }

  get(id: string): StoredTask | undefined {
    return this.#tasks.get(id)
  }

  /** @throws AppError NOT_FOUND */
  require(id: string): StoredTask {
    return this.#tasks.require(id)
  }

  async create(task: NewTask, machine: string | null): Promise<string> {
    await this.ensureTasksLoaded()
    const highest = await this.#reader.readHighestCounter()
    const own: OwnPart = { machine, owner: this.#self, revision: 1 }
    for (;;) {
      const id = await this.#taskIds.reserve(task.name, highest)
      const entry = newEntry(id, task)
      const folder = join(parentOf(this.home, task.type), id)
      if (!(await this.#states.make(folder, entry, own, task.startedAt))) continue
      this.#folders.add(id, task.type)
      this.#tasks.put(id, { entry, own, orphan: null, folder, notices: [], listed: undefined })
      this.#onChange([id])
      this.#writer.schedule(id, 'state')
      return id
    }
  }

  /**
   * Resolves when task.json is on disk; from then on the change is kept whatever happens.
   * @param options.runs that this process runs it from now on
   * @param options.interrupted whether its process ended before it did; unchanged where absent
   */
  async change(
    id: string,
    changes: EntryChanges,
    { urgency = 'state', ...options }: ChangeOptions & { urgency?: Urgency } = {},
  ): Promise<void> {
    this.#update(id, changes, options)
    await this.#writes.run(id, () => this.#save(id, urgency))
  }

  #update(id: string, changes: EntryChanges, { runs = false, interrupted, recorded }: ChangeOptions): void {
    const { entry, own } = this.require(id)
    this.#tasks.update(id, {
      entry: changeEntry(entry, changes),
      own: own && {
        ...own,
        owner: runs ? this.#self : own.owner,
        revision: own.revision + 1,
        interrupted: interrupted ?? own.interrupted ?? false,
        ...(recorded ? { recorded } : {}),
      },
    })
    this.#onChange([id])
  }

  isOwnerAlive(id: string): boolean {
    const { own } = this.require(id)
    return own !== null && (isOwnedBy(this.#self, own) || isOwnedByOther(this.#self, own))
  }

  /**
   * Changes a task whose process is gone.
   * @param work runs before the change, while nobody else can take the task
   * @throws AppError CONFLICT when another process has just taken it
   */
  async takeOver(
    id: string,
    changes: EntryChanges,
    { work, ...options }: ChangeOptions & { work?: () => Promise<void> },
  ): Promise<void> {
    await this.#writes.run(id, () =>
      this.#writer.withLock(async () => {
        const { own, entry } = this.require(id)
        const { file } = await this.#states.find(id, (await this.#folders.list()).get(id) ?? [])
        const onDisk = typeof file === 'object' ? file.own : null
        if (
          own === null ||
          onDisk === null ||
          onDisk.revision !== own.revision ||
          isOwnedByOther(this.#self, onDisk) ||
          (entry.status !== 'running' && own.interrupted !== true)
        ) {
          throw new AppError('CONFLICT', `${id} is no longer interrupted.`, { hint: 'Look at its state again.' })
        }
        await work?.()
        this.#update(id, changes, options)
        await this.#save(id, 'state')
      }),
    )
  }

  /** @throws AppError CONFLICT where tasks.json is whole */
  async previewRepair(): Promise<RepairPlan & { stamp: string; problem: string; aside: string }> {
    await this.readDetails()
    return this.#planRepair()
  }

  async #planRepair(): Promise<RepairPlan & { stamp: string; problem: string; aside: string }> {
    const damaged = await this.#registry.readDamaged()
    if (!damaged) throw new AppError('CONFLICT', `${REGISTRY} is not damaged: there is nothing to repair.`)
    const { text, stamp, problem } = damaged
    return { ...planRepair(text, this.#tasks), stamp, problem, aside: await this.#freeAside() }
  }

  /**
   * Keeps the damaged file aside.
   * @throws AppError CONFLICT when it changed since the preview
   */
  async repair(stamp: string): Promise<{ entries: number; aside: string }> {
    await this.readDetails()
    const { entries, aside } = await this.#writer.withLock(async () => {
      const plan = await this.#planRepair()
      const repaired = plan.entries.map(({ entry }) => entry)
      await this.#registry.replaceDamaged(stamp, repaired, plan.aside)
      return plan
    })
    await this.#reader.reread()
    return { entries: entries.length, aside }
  }

  async #freeAside(): Promise<string> {
    const names = new Set(await readdir(this.home))
    const base = `${REGISTRY}.damaged-${formatTimestamp(Date.now())}`
    for (let count = 1; ; count++) {
      const name = count === 1 ? base : `${base}-${count}`
      if (!names.has(name)) return name
    }
  }

  async adopt(id: string): Promise<void> {
    const { orphan, entry } = this.require(id)
    if (orphan !== 'noEntry') throw new AppError('CONFLICT', `${id} has its entry already.`)
    // Nobody knows what its state was, and the spec has no word for that.
    this.#tasks.update(id, {
      orphan: null,
      entry: readEntry(entry).status === 'unknown' ? { ...entry, status: 'stopped' } : entry,
    })
    await this.#writer.write(new Set([id]))
    this.#onChange([id])
  }

  async removeEntry(id: string): Promise<void> {
    if (this.require(id).orphan !== 'noFolder')
      throw new AppError('CONFLICT', `${id} has a folder.`, { hint: 'Delete the task instead.' })
    await this.#writer.write(new Set(), new Set([id]))
    this.#forget(id)
  }

  async delete(id: string): Promise<void> {
    const { folder, own, entry } = this.require(id)
    const asides: string[] = []
    await this.#writes.run(id, async () => {
      // Read once more: when the registry cannot be read, the folder must stay too.
      await this.#registry.read()
      await this.#taskIds.retire(id)
      const shadow = own === null ? undefined : await this.#states.shadowOf(id)
      for (const path of [folder, shadow]) {
        if (path === null || path === undefined) continue
        const aside = stagingName(path)
        await rename(path, aside)
        asides.push(aside)
      }
      await this.#writer.write(new Set(), new Set([id]))
    })
    this.#forget(id)
    if (own) {
      const deletion = { type: readEntry(entry).type, time: Date.now() }
      await this.#states.copies.noteDeleted(id, deletion)
      this.#reader.noteDeleted(id, deletion)
    }
    for (const aside of asides) await rm(aside, { recursive: true, force: true })
  }

  /** Resolves when tasks.json holds all changes until now, or could not be written; the problems then say so. */
  async flush(): Promise<void> {
    await this.#writes.drained()
    await this.#writer.flush()
  }

  async close(): Promise<void> {
    this.#retry.cancel()
    await this.#reader.close()
    await this.#writes.drained()
    await Promise.all([this.#writer.close(), this.#taskIds.close()])
  }

  async #writeState(id: string): Promise<void> {
    const { entry, own, folder } = this.require(id)
    if (folder !== null) await this.#states.write(folder, entry, own)
  }

  /**
   * Called in the task's turn. Rejects where the disk refuses the state, which is written again until the disk takes
   * it.
   */
  async #save(id: string, urgency: Urgency): Promise<void> {
    if (!this.#tasks.has(id)) {
      this.#unwritten.delete(id)
      throw new AppError('NOT_FOUND', `${id} was deleted.`)
    }
    try {
      await this.#writeState(id)
    } catch (error) {
      this.#unwritten.add(id)
      this.#retry.schedule()
      throw error
    }
    this.#unwritten.delete(id)
    this.#writer.schedule(id, urgency)
  }

  #writeAgain(): void {
    // One that is refused again returns to the set, and was already reported.
    for (const id of this.#unwritten) this.#writes.run(id, () => this.#save(id, 'state')).catch(() => undefined)
  }

  #forget(id: string): void {
    this.#unwritten.delete(id)
    this.#tasks.delete(id)
    this.#writer.forget(id)
    this.#onChange([id])
  }
}
