import type { LogLine } from '@shared/contract/agents'

export const PAGE_LINES = 200
const MAX_PAGES = 30

export interface LogPage {
  readonly lines: readonly LogLine[]
  readonly total: number
}

/** A page that grew while it was read is read again. */
export class LogPages {
  readonly #read: (page: number) => Promise<LogPage>
  readonly #onRead: () => void
  readonly #pages = new Map<number, LogPage>()
  readonly #requested = new Set<number>()
  #total = 0

  constructor(read: (page: number) => Promise<LogPage>, onRead: () => void) {
    this.#read = read
    this.#onRead = onRead
  }

  lineAt(number: number): LogLine | undefined {
    return this.#pages.get(Math.floor(number / PAGE_LINES))?.lines[number % PAGE_LINES]
  }

  /** @param total lines of the log now: a page that was its last may have grown */
  async load(numbers: readonly number[], total: number): Promise<void> {
    this.#total = total
    for (const number of numbers) if (!this.#requested.has(number)) await this.#loadPage(number)
  }

  async #loadPage(number: number): Promise<void> {
    this.#requested.add(number)
    try {
      for (let asked = -1; asked < this.#total && !this.#isWhole(number);) {
        asked = this.#total
        const page = await this.#read(number)
        this.#keep(number, page)
        this.#onRead()
      }
    } finally {
      this.#requested.delete(number)
    }
  }

  #isWhole(number: number): boolean {
    const page = this.#pages.get(number)
    return page !== undefined && (page.lines.length === PAGE_LINES || page.total >= this.#total)
  }

  #keep(number: number, page: LogPage): void {
    this.#pages.delete(number)
    this.#pages.set(number, page)
    for (const oldest of [...this.#pages.keys()].slice(0, Math.max(0, this.#pages.size - MAX_PAGES)))
      this.#pages.delete(oldest)
  }
}
