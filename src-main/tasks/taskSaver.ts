import type { TaskStatus } from '@shared/contract/tasks'
import type { JsonObject } from '@shared/json'
import { SerialQueue } from '@shared/serialQueue'
import { NotifyTimer } from '../rpc/notifyTimer'
import { readEntry, type EntryChanges, type RecordedTotal } from './entry'
import type { OperationOutcome } from './operation'
import type { TaskStore } from './store'
import { writeResult } from './taskFolder'
import { formatTimestamp } from './timestamps'

type Result = Pick<OperationOutcome, 'summary' | 'artifacts'>

export interface TaskSaverOptions {
  readonly id: string
  readonly folder: string
  readonly store: Pick<TaskStore, 'change' | 'require'>
  readonly log: (message: string, error?: unknown) => void
}

/** Counts of iterations and results between two changes of state are written within this time, and no more often. */
const SAVE_INTERVAL_MS = 1_000

export class TaskSaver {
  readonly #options: TaskSaverOptions
  readonly #timer = new NotifyTimer(SAVE_INTERVAL_MS, () => this.#save())
  readonly #saves = new SerialQueue()
  #result: (() => Result) | undefined
  #added: JsonObject = {}
  #iterations = 0

  constructor(options: TaskSaverOptions) {
    this.#options = options
  }

  schedule(iterations: number): void {
    this.#iterations = iterations
    this.#timer.schedule()
  }

  keep(result: () => Result): void {
    this.#result = result
  }

  addToSummary(values: JsonObject): void {
    this.#added = values
  }

  async stop(): Promise<void> {
    this.#timer.cancel()
    await this.#saves.settled()
  }

  async writeResult(status: Exclude<TaskStatus, 'unknown'>, completedAt?: number): Promise<void> {
    const { id, folder, store } = this.#options
    const { startedAt, operation } = readEntry(store.require(id).entry)
    if (!this.#result) return
    const { summary, artifacts = {} } = this.#result()
    const result: JsonObject = {
      id,
      type: 'task',
      name: operation,
      created: formatTimestamp(startedAt ?? Date.now()),
      ...(completedAt === undefined ? {} : { completed: formatTimestamp(completedAt) }),
      status,
      summary: { ...summary, ...this.#added },
      ...(Object.keys(artifacts).length > 0 ? { artifacts: { ...artifacts } } : {}),
    }
    await writeResult(folder, result)
  }

  async writeEnd(changes: EntryChanges, recorded?: RecordedTotal): Promise<void> {
    const { id, store, log } = this.#options
    await store
      .change(id, changes, { recorded })
      .catch((error: unknown) => log(`The end of ${id} could not be written`, error))
  }

  #save(): void {
    const { id, store, log } = this.#options
    const iterations = this.#iterations
    this.#saves
      .run(async () => {
        await this.writeResult('running')
        await store.change(id, { iterations, updatedAt: Date.now() }, { urgency: 'count' })
      })
      .catch((error: unknown) => log(`The state of ${id} could not be written`, error))
  }
}
