import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { AppError } from '@shared/contract/errors'

/** How long a caller waits while others hold it; each is meant to hold it for a few milliseconds. */
const LOCK_WAIT_MS = 20_000

/**
 * Between two tries. Only one waits for the lock itself, and may look often; any number wait for the place in front of it,
 * and would take the processor from the one that works.
 */
const MAX_RETRY_DELAY_MS = { lock: 5, place: 100 }

/**
 * A lock between processes: the write lock that SQLite takes on an otherwise empty file. The system drops it when its
 * holder ends, however it ends, so that there is no stale lock to take over and no process id to guess from. Whoever wants
 * it first takes the place in front of it, a lock of its own: a process that wants it again at once cannot get in again
 * before the one that waits there.
 */
export class ProcessLock {
  readonly #path: string
  readonly #lock: FileLock
  readonly #place: FileLock
  /** In this process one at a time, in order. */
  #last: Promise<unknown> = Promise.resolve()

  /** @param path the lock's own file; it and the one of the place stay there, and stay empty */
  constructor(path: string) {
    this.#path = path
    this.#lock = new FileLock(path)
    this.#place = new FileLock(`${path}.next`)
  }

  /** Does the work while no other process holds the lock. @throws AppError BUSY after waiting for LOCK_WAIT_MS */
  hold<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      await this.#take()
      try {
        return await work()
      } finally {
        this.#lock.release()
      }
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  async close(): Promise<void> {
    await this.#last
    this.#lock.close()
    this.#place.close()
  }

  async #take(): Promise<void> {
    const deadline = performance.now() + LOCK_WAIT_MS
    await this.#waitFor(this.#place, MAX_RETRY_DELAY_MS.place, deadline)
    try {
      await this.#waitFor(this.#lock, MAX_RETRY_DELAY_MS.lock, deadline)
    } finally {
      this.#place.release()
    }
  }

  async #waitFor(lock: FileLock, maxDelayMs: number, deadline: number): Promise<void> {
    for (let delayMs = 1; !lock.tryTake(); delayMs = Math.min(2 * delayMs, maxDelayMs)) {
      if (performance.now() > deadline) {
        throw new AppError('BUSY', `Other processes have held ${basename(this.#path)} for ${LOCK_WAIT_MS / 1000} s.`, {
          hint: 'End any Bridgedeck process that hangs.',
        })
      }
      await wait(Math.random() * delayMs)
    }
  }
}

class FileLock {
  readonly #path: string
  #database: Database.Database | undefined
  #inode: bigint | undefined

  constructor(path: string) {
    this.#path = path
  }

  tryTake(): boolean {
    const database = this.#open()
    if (!begin(database)) return false
    if (this.#isInPlace()) return true
    // The file was deleted or replaced: those who come now lock another one.
    this.close()
    return false
  }

  release(): void {
    if (this.#database?.inTransaction) this.#database.exec('ROLLBACK')
  }

  close(): void {
    this.#database?.close()
    this.#database = undefined
  }

  #open(): Database.Database {
    if (!this.#database) {
      this.#database = new Database(this.#path, { timeout: 0 })
      // Nothing is ever written, so nothing has to be rolled back from a file.
      this.#database.pragma('journal_mode = MEMORY')
      this.#inode = statSync(this.#path, { bigint: true }).ino
    }
    return this.#database
  }

  #isInPlace(): boolean {
    return statSync(this.#path, { bigint: true, throwIfNoEntry: false })?.ino === this.#inode
  }
}

/** Whether the lock was free. */
function begin(database: Database.Database): boolean {
  try {
    database.exec('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}
