import { AppError } from '@shared/contract/errors'
import type { KnownTask } from './mergeTask'
import { compareIds, counterOf } from './taskId'

export class TaskTable {
  readonly #tasks = new Map<string, KnownTask>()
  #sorted: string[] | undefined
  #highestCounter = 0

  get ids(): readonly string[] {
    return (this.#sorted ??= [...this.#tasks.keys()].sort(compareIds))
  }

  /** Also counts tasks that are gone since the start. */
  get highestCounter(): number {
    return this.#highestCounter
  }

  get(id: string): KnownTask | undefined {
    return this.#tasks.get(id)
  }

  /** @throws AppError NOT_FOUND */
  require(id: string): KnownTask {
    const task = this.#tasks.get(id)
    if (!task) throw new AppError('NOT_FOUND', `There is no task ${id}.`)
    return task
  }

  has(id: string): boolean {
    return this.#tasks.has(id)
  }

  put(id: string, task: KnownTask): void {
    if (!this.#tasks.has(id)) {
      this.#sorted = undefined
      this.#highestCounter = Math.max(this.#highestCounter, counterOf(id))
    }
    this.#tasks.set(id, task)
  }

  update(id: string, changes: Partial<KnownTask>): void {
    const known = this.#tasks.get(id)
    if (known) this.#tasks.set(id, { ...known, ...changes })
  }

  delete(id: string): void {
    this.#tasks.delete(id)
    this.#sorted = undefined
  }

  [Symbol.iterator](): IterableIterator<[string, KnownTask]> {
    return this.#tasks[Symbol.iterator]()
  }
}
