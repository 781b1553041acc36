/**
 * What was being opened when a bridge ended unexpectedly stays closed after the second such end in a row, until a
 * person opens it anyway.
 */
import { AppError } from '@shared/contract/errors'
import { quarantinedKinds, type Quarantined, type QuarantinedKind } from '@shared/contract/quarantine'
import { z } from 'zod'
import { childIsAlive, ownStart } from './children'
import type { Database, Statement } from './database'
import { readableRow, readableRows } from './rows'

/** An unexpected end this soon after the opening counts against it. */
const WATCH_MS = 60_000
const MAX_ENDS = 2
const MAX_REASON_CHARACTERS = 1_000
const UNKNOWN_END = 'ended for an unknown reason'

const openingSchema = z.object({
  kind: z.enum(quarantinedKinds),
  name: z.string(),
  /** The process that opened it; null once its minute is over or it was closed. */
  pid: z.int().nullable(),
  processStart: z.number(),
  settled: z.int().transform(Boolean),
  ends: z.int(),
  reason: z.string().nullable(),
})
type Opening = z.infer<typeof openingSchema>

const COLUMNS = 'kind, name, pid, process_start AS processStart, settled, ends, reason'

export interface QuarantineOptions {
  readonly records: boolean
  readonly lastEnd?: string | undefined
  readonly onChange: (items: Quarantined[]) => void
}

export interface Openings {
  /** CONFLICT where it stays closed. */
  whyClosed(kind: QuarantinedKind, name: string): AppError | undefined
  /** @throws AppError as `whyClosed` says */
  requireAllowed(kind: QuarantinedKind, name: string): void
  opening(kind: QuarantinedKind, name: string): void
  settled(kind: QuarantinedKind, name: string): void
  closed(kind: QuarantinedKind, name: string): void
}

export class Quarantine implements Openings {
  readonly #database: Database
  readonly #options: QuarantineOptions
  readonly #one: Statement
  /** ms since 1970. */
  readonly #processStart = ownStart()
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(database: Database, options: QuarantineOptions) {
    this.#database = database
    this.#options = options
    this.#one = database.prepare(`SELECT ${COLUMNS} FROM openings WHERE kind = ? AND name = ?`)
    if (options.records) this.#reconcile()
  }

  get all(): Quarantined[] {
    return this.#rows
      .filter(isQuarantined)
      .map(({ kind, name, reason }) => ({ kind, name, reason: reason ?? UNKNOWN_END }))
  }

  whyClosed(kind: QuarantinedKind, name: string): AppError | undefined {
    const row = this.#find(kind, name)
    return row && isQuarantined(row) ? leftClosed(row) : undefined
  }

  requireAllowed(kind: QuarantinedKind, name: string): void {
    const reason = this.whyClosed(kind, name)
    if (reason) throw reason
  }

  opening(kind: QuarantinedKind, name: string): void {
    this.requireAllowed(kind, name)
    const key = keyOf({ kind, name })
    if (!this.#options.records || this.#timers.has(key)) return
    this.#write({
      kind,
      name,
      pid: process.pid,
      processStart: this.#processStart,
      settled: false,
      ends: this.#find(kind, name)?.ends ?? 0,
      reason: null,
    })
    this.#timers.set(key, setTimeout(() => this.#forget(kind, name), WATCH_MS).unref())
  }

  settled(kind: QuarantinedKind, name: string): void {
    const row = this.#watched(kind, name)
    if (row) this.#write({ ...row, settled: true })
  }

  closed(kind: QuarantinedKind, name: string): void {
    const row = this.#watched(kind, name)
    if (row) this.#endWatch(row)
  }

  /** One more unexpected end closes it again. @throws AppError NOT_FOUND */
  release(kind: QuarantinedKind, name: string): void {
    const row = this.#find(kind, name)
    if (!row || !isQuarantined(row))
      throw new AppError('NOT_FOUND', `${describe({ kind, name })} was not left closed.`, { hint: 'Open it as usual.' })
    this.#write({ ...row, ends: MAX_ENDS - 1 })
    this.#options.onChange(this.all)
  }

  noteEnd(error: unknown): void {
    const reason = `stopped at an error: ${error instanceof Error ? error.message : String(error)}`
    for (const row of this.#rows)
      if (row.pid === process.pid) this.#write({ ...row, reason: reason.slice(0, MAX_REASON_CHARACTERS) })
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    for (const row of this.#rows) if (row.pid === process.pid) this.#endWatch(row)
  }

  /**
   * Counts the end of bridges that ended before their openings' minute was over. A machine that was live is blamed last, and
   * not where the bridge was only killed from outside.
   */
  #reconcile(): void {
    const { lastEnd } = this.#options
    const open = this.#rows.filter(
      ({ pid, processStart }) => pid !== null && !childIsAlive({ pid, startedAt: processStart }),
    )
    const unsettled = open.filter(({ settled }) => !settled)
    for (const row of open) {
      const reason = row.reason ?? lastEnd ?? UNKNOWN_END
      const isBlamed = unsettled.length > 0 ? !row.settled : !isFromOutside(reason)
      if (isBlamed)
        this.#write({ ...row, pid: null, ends: row.ends + 1, reason: reason.slice(0, MAX_REASON_CHARACTERS) })
      else this.#endWatch(row)
    }
  }

  #endWatch(row: Opening): void {
    const key = keyOf(row)
    clearTimeout(this.#timers.get(key))
    this.#timers.delete(key)
    if (row.ends === 0) this.#forget(row.kind, row.name)
    else this.#write({ ...row, pid: null })
  }

  #watched(kind: QuarantinedKind, name: string): Opening | undefined {
    const row = this.#timers.has(keyOf({ kind, name })) ? this.#find(kind, name) : undefined
    return row?.pid === process.pid ? row : undefined
  }

  get #rows(): Opening[] {
    return readableRows(
      openingSchema,
      this.#database.prepare(`SELECT ${COLUMNS} FROM openings ORDER BY kind, name`).all(),
    )
  }

  #find(kind: QuarantinedKind, name: string): Opening | undefined {
    return readableRow(openingSchema, this.#one.get(kind, name))
  }

  #write({ settled, ...row }: Opening): void {
    this.#unsynced(() =>
      this.#database
        .prepare(
          `INSERT OR REPLACE INTO openings (kind, name, pid, process_start, settled, ends, reason)
           VALUES (@kind, @name, @pid, @processStart, @settled, @ends, @reason)`,
        )
        .run({ ...row, settled: Number(settled) }),
    )
  }

  #forget(kind: QuarantinedKind, name: string): void {
    this.#timers.delete(keyOf({ kind, name }))
    this.#unsynced(() => this.#database.prepare('DELETE FROM openings WHERE kind = ? AND name = ?').run(kind, name))
  }

  /** Does not wait for the disk: what was written survives the end of the process, though not a power cut. */
  #unsynced(write: () => unknown): void {
    this.#database.pragma('synchronous = NORMAL')
    try {
      write()
    } finally {
      this.#database.pragma('synchronous = FULL')
    }
  }
}

const isQuarantined = ({ ends }: Opening): boolean => ends >= MAX_ENDS

/**
 * Something in the bridge itself is not from outside; the system's memory killer during an opening counts as from
 * within.
 */
const isFromOutside = (reason: string): boolean =>
  reason === UNKNOWN_END || /killed by SIG(KILL|TERM|INT|HUP)|\(killed,/.test(reason)

const keyOf = ({ kind, name }: Pick<Opening, 'kind' | 'name'>): string => `${kind} ${name}`

const describe = ({ kind, name }: Pick<Quarantined, 'kind' | 'name'>): string => `The ${kind} ${name}`

const leftClosed = (row: Opening): AppError =>
  new AppError(
    'CONFLICT',
    `${describe(row)} was left closed: the bridge ended unexpectedly twice within a minute of opening it (it ${row.reason ?? UNKNOWN_END}).`,
    { hint: `Open it anyway in the window, or with “bridgedeck bridge open-anyway ${row.kind} ${row.name}”.` },
  )
