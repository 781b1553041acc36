import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { AppError } from '@shared/contract/errors'
import { isDamage, problemsOf, DamageError } from './damage'
import { openDatabase, openReadonly, versionOf, type Database, type Statement, type Transaction } from './database'
import { keepEarlierVersion } from './earlierVersion'
import { migrations } from './migrations'
import { identityOf, repairDatabase } from './repair'
import { tablesOf } from './salvage'

/**
 * Files up to this size are checked when they are opened, bytes. Takes some 2 ms; after an end that left the WAL, some
 * 200 ms.
 */
const CHECKED_AT_ONCE = { ended: 4 * 1024 * 1024, killed: 64 * 1024 * 1024 }

/** Thrown rather than write to files that nobody can find any more. */
export class DataFolderGone extends AppError {
  constructor(folder: string) {
    super('LOST', `The data folder ${folder} was deleted or moved while Bridgedeck ran.`, {
      hint: 'Put it back, or start Bridgedeck again: it makes a new one. Nothing is kept until then.',
    })
  }
}

/**
 * A failed operation on a damaged file waits for the repair and is repeated. Follows a file that another process put in
 * its place, and writes nothing where the file is gone.
 */
export class OwnDatabase implements Database {
  readonly path: string
  onReopened: (() => void) | undefined
  readonly #open: () => Sqlite.Database
  #handle: Sqlite.Database
  #identity: bigint | undefined
  #isClosed = false

  /** @throws AppError as `openDatabase`, or where the disk refuses the repair */
  static open(path: string): OwnDatabase {
    return new OwnDatabase(path, () => openChecked(path))
  }

  static openAgain(path: string): OwnDatabase {
    return new OwnDatabase(path, () => openDatabase(path, migrations, keepEarlierVersion))
  }

  static openForReading(path: string): OwnDatabase | undefined {
    if (!existsSync(path)) return undefined
    const database = new OwnDatabase(path, () => openReadonly(path))
    if (versionOf(database) === migrations.length) return database
    database.close()
    return undefined
  }

  private constructor(path: string, open: () => Sqlite.Database) {
    this.path = path
    this.#open = open
    const { handle, identity } = this.#openSound()
    this.#handle = handle
    this.#identity = identity
  }

  get folder(): string {
    return dirname(this.path)
  }

  get isThere(): boolean {
    return identityOf(this.path) !== undefined
  }

  prepare(sql: string): Statement {
    let prepared: { readonly handle: Sqlite.Database; readonly statement: Sqlite.Statement } | undefined
    const statement = () => {
      if (prepared?.handle !== this.#handle) prepared = { handle: this.#handle, statement: this.#handle.prepare(sql) }
      return prepared.statement
    }
    return {
      run: (...values) => this.#do(() => statement().run(...values)),
      get: (...values) => this.#do(() => statement().get(...values)),
      all: (...values) => this.#do(() => statement().all(...values)),
    }
  }

  transaction<Result>(work: () => Result): Transaction<Result> {
    const run = () => this.#do(() => this.#handle.transaction(work)())
    return Object.assign(run, { immediate: () => this.#do(() => this.#handle.transaction(work).immediate()) })
  }

  pragma(text: string): unknown {
    return this.#do(() => this.#handle.pragma(text))
  }

  /**
   * Looks through what was too large to check at opening: one table after the other, with a pause between. Repairs the
   * file where something is wrong.
   */
  async check(signal: AbortSignal): Promise<void> {
    if (statSync(this.path).size <= CHECKED_AT_ONCE.ended) return
    for (const table of tablesOf(this)) {
      await immediate(undefined, { signal })
      this.#do(() => requireSound(this.#handle, table))
    }
  }

  close(): void {
    this.#isClosed = true
    this.#handle.close()
  }

  #do<Result>(work: () => Result): Result {
    if (this.#handle.inTransaction || this.#isClosed) return work()
    this.#follow()
    try {
      return work()
    } catch (error) {
      if (!isDamage(error, this.path, this.#handle)) throw error
      const damaged = this.#identity
      this.#handle.close()
      repairDatabase(this.path, damaged)
      this.#reopen()
      return work()
    }
  }

  /** @throws AppError LOST where there is no file in its place */
  #follow(): void {
    const found = identityOf(this.path)
    if (found === this.#identity && this.#handle.open) return
    if (found === undefined) throw new DataFolderGone(this.folder)
    this.#handle.close()
    this.#reopen()
  }

  #reopen(): void {
    const { handle, identity } = this.#openSound()
    this.#handle = handle
    this.#identity = identity
    this.onReopened?.()
  }

  #openSound(): { handle: Sqlite.Database; identity: bigint | undefined } {
    for (let tries = 1; ; tries++) {
      const found = identityOf(this.path)
      try {
        const handle = this.#open()
        const identity = identityOf(this.path)
        if (found === undefined || found === identity) return { handle, identity }
        handle.close()
      } catch (error) {
        if (tries === MAX_TRIES || !isDamage(error, this.path)) throw error
        repairDatabase(this.path, found)
      }
    }
  }
}

function openChecked(path: string): Sqlite.Database {
  requireContent(path)
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })
  const limit = CHECKED_AT_ONCE[wal && wal.size > 0 ? 'killed' : 'ended']
  const handle = openDatabase(path, migrations, keepEarlierVersion)
  try {
    if (statSync(path).size <= limit) requireSound(handle)
    return handle
  } catch (error) {
    handle.close()
    throw error
  }
}

const MAX_TRIES = 3

/** Longer than a process needs between making the file and its first page, ms. */
const MAKING_MS = 5_000

/** SQLite takes an empty file for a new database; what was in a file that was cut off would be lost in silence. */
function requireContent(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.size === 0 && Date.now() - found.birthtimeMs > MAKING_MS) throw new DamageError('The file is empty.')
}

function requireSound(handle: Sqlite.Database, table?: string): void {
  const [problem] = problemsOf(handle, table)
  if (problem !== undefined) throw new DamageError(problem)
}
