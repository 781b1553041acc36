import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '@shared/contract/errors'
import {
  attempt,
  dismissAll,
  endMessages,
  holdMessagesWhile,
  notify,
  readHistory,
  reportError,
  useMessages,
} from './messages'

const texts = () => useMessages.getState().open.map(({ text }) => text)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  dismissAll()
  vi.useRealTimers()
})

describe('messages', () => {
  it('end with what they are about, and others stay', () => {
    notify('Task a is done.', null, null, 'task a')
    reportError(new AppError('INTERNAL', 'Task b failed.'), 'task b')
    endMessages('task b')
    expect(texts()).toEqual(['Task a is done.'])
  })

  it('of a failure end when the same is tried again', async () => {
    let fails = true
    const act = () =>
      attempt(() => (fails ? Promise.reject(new AppError('LOST', 'It is gone.')) : Promise.resolve()), 'act')
    act()
    await vi.waitFor(() => expect(texts()).toEqual(['It is gone.']))
    fails = false
    act()
    expect(texts()).toEqual([])
  })

  it('of an action that fails before it waits for anything are shown too', () => {
    attempt(() => {
      throw new AppError('UNSUPPORTED', 'It cannot be drawn in.')
    })
    expect(texts()).toEqual(['It cannot be drawn in.'])
  })

  it('that are errors are counted when newer ones take their place, until the history is read', () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) reportError(new AppError('LOST', `${name} is gone.`))
    notify('Saved.')
    expect([texts().length, useMessages.getState().missedErrors]).toEqual([3, 3])
    readHistory()
    expect(useMessages.getState().missedErrors).toBe(0)
    expect(
      useMessages
        .getState()
        .history.slice(0, 6)
        .map(({ text }) => text),
    ).toEqual(['Saved.', 'e is gone.', 'd is gone.', 'c is gone.', 'b is gone.', 'a is gone.'])
  })

  it('stay at least 30 s when they offer something to do', () => {
    notify('Answered.', null, { label: 'Undo', run: () => undefined })
    vi.advanceTimersByTime(29_999)
    expect(texts()).toEqual(['Answered.'])
    vi.runAllTimers()
    expect(texts()).toEqual([])
  })

  it('are counted when they are said again, but each offer of its own stays', () => {
    const undone: number[] = []
    for (const change of [1, 2]) {
      reportError(new AppError('LOST', 'The machine is gone.'))
      notify('Written.', null, { label: 'Undo', run: () => undone.push(change) })
    }
    const { open } = useMessages.getState()
    expect(open.map(({ text, count }) => [text, count])).toEqual([
      ['Written.', 1],
      ['The machine is gone.', 2],
      ['Written.', 1],
    ])
    for (const { offer } of open) offer?.run()
    expect(undone).toEqual([1, 2])
  })

  it('do not go while they are read, and soon after', () => {
    let areRead = true
    holdMessagesWhile(() => areRead)
    notify('Saved.')
    vi.advanceTimersByTime(60_000)
    expect(texts()).toEqual(['Saved.'])
    areRead = false
    vi.advanceTimersByTime(1000)
    expect(texts()).toEqual([])
  })

  it('go by themselves when they are notices, and stay when they are errors', () => {
    notify('Saved.')
    reportError(new AppError('INTERNAL', 'Not saved.'))
    vi.runAllTimers()
    expect(texts()).toEqual(['Not saved.'])
  })
})
