import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChangeFeed, pageAfter, type Changes } from './changeFeed'

describe('a feed of changes', () => {
  let sent: Changes<string>[]
  let feed: ChangeFeed<string>
  beforeEach(() => {
    vi.useFakeTimers()
    sent = []
    feed = new ChangeFeed<string>({ delayMs: 30, maxItems: 2, send: (changes) => sent.push(changes) })
  })
  afterEach(() => vi.useRealTimers())

  it('sends what changed within the delay together, each item once', () => {
    feed.note('a', 'first')
    feed.note('b', 'b')
    feed.note('a', 'second')
    vi.advanceTimersByTime(29)
    expect(sent).toEqual([])
    vi.advanceTimersByTime(1)
    expect(sent).toEqual([{ from: 0, revision: 1, items: ['second', 'b'] }])
  })

  it('sends what does not fit in the next event, which leads from the one before', () => {
    for (const key of ['a', 'b', 'c']) feed.note(key, key)
    vi.advanceTimersByTime(30)
    expect(sent).toEqual([{ from: 0, revision: 1, items: ['a', 'b'] }])
    vi.advanceTimersByTime(30)
    expect(sent.at(-1)).toEqual({ from: 1, revision: 2, items: ['c'] })
    expect(feed.revision).toBe(2)
  })

  it('sends all at once when it is flushed', () => {
    for (const key of ['a', 'b', 'c']) feed.note(key, key)
    feed.flush()
    expect(sent.map(({ items }) => items)).toEqual([['a', 'b'], ['c']])
    vi.advanceTimersByTime(100)
    expect(sent).toHaveLength(2)
  })

  it('sends nothing when it is closed, nor when nothing changed', () => {
    feed.flush()
    feed.note('a', 'a')
    feed.close()
    vi.advanceTimersByTime(100)
    expect(sent).toEqual([])
    expect(feed.revision).toBe(0)
  })
})

describe('a list in pages', () => {
  const compare = (one: number, other: number) => one - other

  it.each([
    ['the first', null, [1, 3], 3],
    ['the next', 3, [5, 7], 7],
    ['the last', 7, [9], null],
    ['after a key that is gone', 4, [5, 7], 7],
    ['after the end', 9, [], null],
  ])('%s', (_what, after, page, next) => {
    expect(pageAfter([1, 3, 5, 7, 9], after, 2, compare)).toEqual({ page, next })
  })

  it('is one empty page without keys', () => {
    expect(pageAfter([], null, 2, compare)).toEqual({ page: [], next: null })
  })
})
