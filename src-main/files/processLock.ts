import { rmSync, statSync, utimesSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { AppError } from '@shared/contract/errors'
import { makePrivateDatabase } from './privateFiles'

/** ms to wait for the same holder, which should need a few. */
const LOCK_WAIT_MS = 20_000

/** ms; a longer time between two looks counts as this much: this process slept or got no processor time. */
const MAX_COUNTED_LOOK_MS = 250

/**
 * ms between two tries. Only one process waits for the lock itself and may look often; any number wait for the place in
 * front of it.
 */
const MAX_RETRY_DELAY_MS = { lock: 5, place: 100 }

/**
 * SQLite's write lock on an otherwise empty file: the system drops it when its holder ends, so there are no stale
 * locks. A second lock, the place in front, keeps a process from taking the lock again before a waiting one. Whoever
 * takes the lock sets its file's time, so that others see that it moves.
 */
export class ProcessLock {
  readonly #path: string
  readonly #waitMs: number
  readonly #lock: FileLock
  readonly #place: FileLock
  #last: Promise<unknown> = Promise.resolve()

  /**
   * @param path the lock's own file; it and that of the place stay, and stay empty
   * @param waitMs how long to wait while the lock does not move
   */
  constructor(path: string, waitMs = LOCK_WAIT_MS) {
    this.#path = path
    this.#waitMs = waitMs
    this.#lock = new FileLock(path)
    this.#place = new FileLock(`${path}.next`)
  }

  /** @throws AppError BUSY when the same holder keeps the lock for too long */
  hold<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      await this.#take()
      try {
        markAsTaken(this.#path)
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
    const standstill = new Standstill(this.#path)
    await this.#waitFor(this.#place, MAX_RETRY_DELAY_MS.place, standstill)
    try {
      await this.#waitFor(this.#lock, MAX_RETRY_DELAY_MS.lock, standstill)
    } finally {
      this.#place.release()
    }
  }

  async #waitFor(lock: FileLock, maxDelayMs: number, standstill: Standstill): Promise<void> {
    for (let delayMs = 1; !lock.tryTake(); delayMs = Math.min(2 * delayMs, maxDelayMs)) {
      if (standstill.lookMs() > this.#waitMs) throw heldTooLong(this.#path, this.#waitMs)
      await wait(Math.random() * delayMs)
    }
  }
}

class Standstill {
  readonly #path: string
  #takenAt: bigint | undefined
  #lookedAt = performance.now()
  #stillMs = 0

  constructor(path: string) {
    this.#path = path
  }

  lookMs(): number {
    const now = performance.now()
    const takenAt = statSync(this.#path, { bigint: true, throwIfNoEntry: false })?.mtimeNs
    const isStill = takenAt === this.#takenAt
    this.#stillMs = isStill ? this.#stillMs + Math.min(now - this.#lookedAt, MAX_COUNTED_LOOK_MS) : 0
    this.#takenAt = takenAt
    this.#lookedAt = now
    return this.#stillMs
  }
}

/**
 * Blocks the whole thread.
 * @throws AppError BUSY when another one keeps the lock for longer than the usual wait
 */
export function holdNow<T>(path: string, work: () => T): T {
  const lock = new FileLock(path, LOCK_WAIT_MS)
  try {
    // The first try may find a lock file that was replaced.
    if (!lock.tryTake() && !lock.tryTake()) throw heldTooLong(path, LOCK_WAIT_MS)
    return work()
  } finally {
    lock.close()
  }
}

const heldTooLong = (path: string, waitMs: number): AppError =>
  new AppError('BUSY', `Another process has held ${basename(path)} for ${waitMs / 1000} s.`, {
    hint: 'End any Bridgedeck process that hangs.',
  })

function markAsTaken(path: string): void {
  const now = Date.now() / 1000
  utimesSync(path, now, now)
}

class FileLock {
  readonly #path: string
  readonly #timeoutMs: number
  #database: Database.Database | undefined
  #inode: bigint | undefined

  /** @param timeoutMs how long a try waits; nothing else of this thread runs meanwhile */
  constructor(path: string, timeoutMs = 0) {
    this.#path = path
    this.#timeoutMs = timeoutMs
  }

  tryTake(): boolean {
    try {
      if (!begin(this.#open())) return false
    } catch (error) {
      this.close()
      if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_NOTADB') throw error
      // Something else was written into it: nobody can hold that, and it need not be kept.
      rmSync(this.#path, { force: true })
      return false
    }
    if (this.#isInPlace()) return true
    // The file was deleted or replaced: later callers lock another one.
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
      makePrivateDatabase(this.#path)
      this.#database = new Database(this.#path, { timeout: this.#timeoutMs })
      // Nothing is ever written, so no rollback file is needed.
      this.#database.pragma('journal_mode = MEMORY')
      this.#inode = statSync(this.#path, { bigint: true }).ino
    }
    return this.#database
  }

  #isInPlace(): boolean {
    return statSync(this.#path, { bigint: true, throwIfNoEntry: false })?.ino === this.#inode
  }
}

function begin(database: Database.Database): boolean {
  try {
    database.exec('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}
