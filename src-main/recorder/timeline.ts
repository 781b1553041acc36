import type { Database } from 'better-sqlite3'
import type { Span } from './messages'

export interface FrameRange {
  readonly first: number
  /** Before `first` where the range is empty. */
  readonly last: number
}

/** ms since 1970. */
export interface Gap {
  readonly from: number
  readonly to: number
}

export interface Epoch {
  readonly frame: number
  readonly epoch: number
  readonly machine: string
}

export class Timeline {
  readonly #statements: ReturnType<typeof prepare>

  constructor(database: Database) {
    this.#statements = prepare(database)
  }

  get frameCount(): number {
    return (this.#statements.last.get() ?? -1) + 1
  }

  get epochs(): Epoch[] {
    return this.#statements.epochs.all()
  }

  /** ms since 1970. */
  timeOf(frame: number): number {
    return this.#microseconds(frame) / 1000
  }

  /** The newest frame at or before the time; -1 before the first one. */
  frameAt(time: number): number {
    const wanted = Math.round(time * 1000)
    let low = 0
    let high = this.frameCount
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.#microseconds(middle) <= wanted) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  framesOf({ from, to }: Span): FrameRange {
    const last = to === undefined ? this.frameCount - 1 : this.frameAt(to)
    if (from === undefined) return { first: 0, last }
    const before = this.frameAt(from)
    const isExact = before >= 0 && this.#microseconds(before) === Math.round(from * 1000)
    return { first: isExact ? before : before + 1, last }
  }

  epochAt(frame: number): Epoch | undefined {
    return this.#statements.epochAt.get(frame)
  }

  countMissing(): number {
    const { epochs, frameCount } = this
    let missing = 0
    for (const [index, { frame }] of epochs.entries()) {
      const last = (epochs[index + 1]?.frame ?? frameCount) - 1
      const [from, to] = [this.#statements.seq.get(frame), this.#statements.seq.get(last)]
      if (from !== undefined && to !== undefined) missing += Math.max(0, to - from - (last - frame))
    }
    return missing
  }

  /** A gap is from when the next sample was due to when it came. None while fewer than two are late. */
  gapsOf({ from = -Infinity, to = Infinity }: Span, limit: number): Gap[] {
    const usual = this.#statements.usual.get() ?? 0
    return this.#statements.gaps
      .all(usual, usual * MIN_GAP, from * 1000, to * 1000, limit)
      .map(({ due, came }) => ({ from: due / 1000, to: came / 1000 }))
  }

  #microseconds(frame: number): number {
    return this.#statements.time.get(frame) ?? 0
  }
}

/** In usual distances between two samples: beyond this the next one is late, or one is missing. */
const MIN_GAP = 1.9

const distances = `(
  SELECT time, time - LAG(time) OVER (ORDER BY frame) AS distance FROM frames LIMIT -1 OFFSET 1
)`

function prepare(database: Database) {
  return {
    last: database.prepare<[], number>('SELECT frame FROM frames ORDER BY frame DESC LIMIT 1').pluck(),
    time: database.prepare<[number], number>('SELECT time FROM frames WHERE frame = ?').pluck(),
    usual: database
      .prepare<[], number>(
        `SELECT distance FROM ${distances} ORDER BY distance LIMIT 1 OFFSET (SELECT (COUNT(*) - 1) / 2 FROM frames)`,
      )
      .pluck(),
    gaps: database.prepare<[number, number, number, number, number], { due: number; came: number }>(
      `SELECT time - distance + ? AS due, time AS came FROM ${distances}
       WHERE distance > ? AND time > ? AND time - distance < ? ORDER BY time LIMIT ?`,
    ),
    seq: database.prepare<[number], number>('SELECT seq FROM frames WHERE frame = ?').pluck(),
    epochs: database.prepare<[], Epoch>('SELECT frame, epoch, machine FROM epochs ORDER BY frame'),
    epochAt: database.prepare<[number], Epoch>(
      'SELECT frame, epoch, machine FROM epochs WHERE frame <= ? ORDER BY frame DESC LIMIT 1',
    ),
  }
}
