/** A small file beside a log, with one JSON line `[from, to, ms]` for each look that found more bytes. */
import { appendFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { LineSplitter } from './lineSplitter'
import { LogFile } from './logFile'

export const timesFileOf = (log: string): string => `${log}.times`

export class PrintClock {
  readonly #log: string
  #seen: number

  constructor(log: string, seen = 0) {
    this.#log = log
    this.#seen = seen
  }

  /** Another Bridgedeck began this log: when its present content was printed is not known. */
  static goOn(log: string): PrintClock {
    return new PrintClock(log, sizeOf(log))
  }

  look(): void {
    this.note(sizeOf(this.#log))
  }

  note(size: number, now = Date.now()): void {
    if (size > this.#seen) {
      try {
        appendFileSync(timesFileOf(this.#log), `${JSON.stringify([this.#seen, size, now])}\n`, { mode: 0o600 })
      } catch {
        // The log itself matters more than its times.
      }
    }
    this.#seen = size
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const entrySchema = z.tuple([z.int().min(0), z.int().min(0), z.number()])

export class PrintTimes {
  readonly #file: LogFile
  readonly #entries: z.infer<typeof entrySchema>[] = []
  readonly #splitter = new LineSplitter((line) => this.#add(line))

  constructor(log: string) {
    this.#file = new LogFile(timesFileOf(log))
  }

  async load(): Promise<void> {
    await this.#file.catchUp(Infinity, (bytes) => this.#splitter.add(bytes))
  }

  /** ms since 1970; null where nobody looked. */
  at(offset: number): number | null {
    let low = 0
    let high = this.#entries.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#entries[middle]?.[0] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const entry = this.#entries[low]
    return entry && entry[0] <= offset && offset < entry[1] ? entry[2] : null
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #add(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return
    }
    const entry = entrySchema.safeParse(value).data
    const last = this.#entries.at(-1)
    if (entry && (!last || entry[0] >= last[1])) this.#entries.push(entry)
  }
}
