import { describe, expect, it } from 'vitest'
import { LogPages, PAGE_LINES, type LogPage } from './logPages'

/** A log that grows, whose answers wait until they are let go. */
class GrowingLog {
  total = 0
  readonly asked: number[] = []
  readonly #waiting: (() => void)[] = []

  read = (page: number): Promise<LogPage> => {
    this.asked.push(page)
    const { total } = this
    const count = Math.max(0, Math.min(PAGE_LINES, total - page * PAGE_LINES))
    const lines = Array.from({ length: count }, (_, index) => ({
      text: `line ${page * PAGE_LINES + index}`,
      bytes: 8,
      at: null,
    }))
    return new Promise((resolve) => this.#waiting.push(() => resolve({ lines, total })))
  }

  async answer(): Promise<void> {
    this.#waiting.shift()?.()
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
}

describe('pages of a log', () => {
  it('read a page again that grew while it was read', async () => {
    const log = new GrowingLog()
    const pages = new LogPages(log.read, () => undefined)
    log.total = 3
    void pages.load([0], 3)
    log.total = 5
    await pages.load([0], 5)
    await log.answer()
    expect(pages.lineAt(2)?.text).toBe('line 2')
    await log.answer()
    expect(pages.lineAt(4)?.text).toBe('line 4')
    expect(log.asked).toEqual([0, 0])
  })

  it('read a page once where the log has fewer lines than were told', async () => {
    const log = new GrowingLog()
    const pages = new LogPages(log.read, () => undefined)
    log.total = 3
    const loaded = pages.load([0], 4)
    await log.answer()
    await loaded
    expect(log.asked).toEqual([0])
  })

  it('ask no second time for a page that is whole', async () => {
    const log = new GrowingLog()
    const pages = new LogPages(log.read, () => undefined)
    log.total = PAGE_LINES + 1
    const loaded = pages.load([0], log.total)
    await log.answer()
    await loaded
    await pages.load([0], log.total + 1)
    expect(log.asked).toEqual([0])
  })

  it('ask again for a page that could not be read', async () => {
    let isBroken = true
    const pages = new LogPages(
      (page) => (isBroken ? Promise.reject(new Error('gone')) : Promise.resolve({ lines: [], total: page })),
      () => undefined,
    )
    await expect(pages.load([0], 1)).rejects.toThrow('gone')
    isBroken = false
    await expect(pages.load([0], 1)).resolves.toBeUndefined()
  })
})
