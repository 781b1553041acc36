import type { Write } from '../accessTrace'
import type { C64 } from '../c64'
import { instructionCode, writesBackFrom, type PastWrite, type Search } from './search'

export interface ByteWriter {
  readonly last: PastWrite
  readonly count: number
}

/** Cycles searched before the first question: half a minute of the machine. */
const MAX_SEARCHED_CYCLES = 30_000_000

/**
 * Writers are noted from the first question on; the time before is searched a part at each question. Once the machine
 * goes back, a new instance is needed.
 */
export class ByteWriters {
  readonly place: number
  readonly #from: number
  readonly #writers = new Map<string, ByteWriter>()
  #since: number
  #isSearching = true

  constructor(c64: C64, place: number) {
    this.place = place
    this.#from = c64.clock
    this.#since = c64.clock
    c64.trace.watch(place, (write) => this.#note({ ...write, code: instructionCode(c64, write) }))
  }

  get all(): readonly ByteWriter[] {
    return [...this.#writers.values()].sort((a, b) => b.last.clock - a.last.clock)
  }

  get since(): number {
    return this.#since
  }

  get isSearching(): boolean {
    return this.#isSearching
  }

  /** Continues the search for `budgetMs`, and at least a third of a second of machine time. */
  search({ past, scout }: Omit<Search, 'before'>, budgetMs: number): void {
    const deadline = performance.now() + budgetMs
    const oldest = Math.max(past.start, this.#from - MAX_SEARCHED_CYCLES)
    const search = { past, scout, before: this.#since }
    for (const { start, writes } of writesBackFrom(search, this.place)) {
      for (const [index, write] of writes.entries()) if (write.begun !== writes[index + 1]?.begun) this.#note(write)
      this.#since = start
      if (start <= oldest || performance.now() > deadline) break
    }
    this.#isSearching = this.#since > oldest
  }

  #note(write: PastWrite): void {
    const key = String(write.instruction ?? write.cause)
    const { last = write, count = 0 } = this.#writers.get(key) ?? {}
    const isCounted = count > 0 && last.begun === write.begun
    this.#writers.set(key, { last: later(last, write), count: count + (isCounted ? 0 : 1) })
  }
}

const later = <One extends Write>(one: One, other: One): One => (other.clock > one.clock ? other : one)
