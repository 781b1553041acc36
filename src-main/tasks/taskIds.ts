import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { ProcessLock } from '../files/processLock'
import { counterOf, makeTaskId } from './taskId'

/** Bytes of the counter's file: always the same, so that it is overwritten in place. */
const COUNTER_BYTES = 16

/**
 * Ids are unique over all our processes. The highest counter ever given is kept in a small file, so that ids of deleted
 * tasks are not used again. It has a lock of its own: a new task does not wait until a large tasks.json is written.
 */
export class TaskIds {
  readonly #path: string
  readonly #lock: ProcessLock

  constructor(home: string) {
    this.#path = join(home, '.bridgedeck.last-id')
    this.#lock = new ProcessLock(join(home, '.bridgedeck.ids.lock'))
  }

  /** @param highestKnown of existing tasks, as other programs number theirs too */
  reserve(name: string, highestKnown: number): Promise<string> {
    // Not synced: after a power cut the tasks themselves show their counters, and `retire` has kept those of deleted
    // tasks.
    return this.#lock.hold(() => Promise.resolve(makeTaskId(this.#raise(highestKnown, 1), name)))
  }

  /** Resolves when the id of a task that is to be deleted stays used, also after a power cut. */
  async retire(id: string): Promise<void> {
    await this.#lock.hold(() => Promise.resolve(this.#raise(counterOf(id), 0)))
    const file = await open(this.#path, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }

  close(): Promise<void> {
    return this.#lock.close()
  }

  /** Synchronous and in place: a busy computer or disk must not suspend this process while others wait for the lock. */
  #raise(atLeast: number, by: number): number {
    const file = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      const bytes = Buffer.alloc(COUNTER_BYTES)
      const kept = Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, COUNTER_BYTES, 0)))
      const counter = Math.max(Number.isSafeInteger(kept) ? kept : 0, atLeast) + by
      writeSync(file, `${String(counter).padStart(COUNTER_BYTES - 1)}\n`, 0)
      return counter
    } finally {
      closeSync(file)
    }
  }
}
