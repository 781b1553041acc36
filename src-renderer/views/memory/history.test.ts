import { describe, expect, it } from 'vitest'
import {
  canTryAgain,
  stepText,
  emptyHistory,
  historyLimit,
  inRamInstead,
  withStep,
  withFailed,
  withoutFailed,
  withRedone,
  withUndone,
  type Edit,
} from './history'

const edit = (address: number, after: number): Edit => ({
  machine: 'builtin',
  space: 'cpu',
  address,
  before: Uint8Array.of(0),
  after: Uint8Array.of(after),
})
const one = edit(0xd020, 1)
const two = edit(0xd021, 2)
const refusal = { code: 'LOST', message: 'VICE is gone.' } as const

describe('the history of edits', () => {
  it('calls an edit by its address and what changed there', () => {
    expect(stepText([one])).toBe('$D020: 00 → 01')
    const long = { ...one, before: new Uint8Array(6), after: Uint8Array.of(1, 2, 3, 4, 5, 6) }
    expect(stepText([long])).toBe('$D020: 00 00 00 00… → 01 02 03 04…')
  })

  it('names every range of a step', () => {
    expect(stepText([one, two])).toBe('$D020: 00 → 01, $D021: 00 → 02')
  })

  it('undoes the last edit first, and redoes the last undone', () => {
    const both = withStep(withStep(emptyHistory, [one]), [two])
    const back = withUndone(both)
    expect(back).toEqual({ done: [[one]], undone: [[two]], failed: [] })
    expect(withUndone(back)).toEqual({ done: [], undone: [[two], [one]], failed: [] })
    expect(withRedone(withUndone(back))).toEqual(back)
    expect(withRedone(back)).toEqual(both)
  })

  it('forgets what was undone once something new is typed', () => {
    expect(withStep(withUndone(withStep(emptyHistory, [one])), [two])).toEqual({
      done: [[two]],
      undone: [],
      failed: [],
    })
  })

  it('has nothing to do when it is empty', () => {
    expect([withUndone(emptyHistory), withRedone(emptyHistory)]).toEqual([emptyHistory, emptyHistory])
  })

  it('keeps no more than the last 500', () => {
    const long = Array.from({ length: 600 }, (_, index) => index).reduce(
      (history, index) => withStep(history, [edit(index, 0)]),
      emptyHistory,
    )
    expect(long.done).toHaveLength(500)
    expect(long.done.at(-1)?.[0]?.address).toBe(599)
  })

  it('keeps what could not be written until it is given up, one for each place', () => {
    const failed = withFailed(withFailed(emptyHistory, { edit: one, failure: refusal }), {
      edit: two,
      failure: refusal,
    })
    const again = withFailed(failed, { edit: edit(0xd020, 9), failure: refusal })
    expect(again.failed.map((entry) => [entry.edit.address, entry.edit.after[0]])).toEqual([
      [0xd021, 2],
      [0xd020, 9],
    ])
    expect(again.failed.reduce(withoutFailed, again).failed).toEqual([])
  })

  it('offers only what can help: another try, or the RAM under the ROM', () => {
    const lost = { edit: one, failure: refusal }
    const rom = {
      edit: { ...one, space: 'rom' },
      failure: { code: 'UNSUPPORTED', message: 'ROM cannot be written.' },
    } as const
    expect([canTryAgain(lost), canTryAgain(rom)]).toEqual([true, false])
    expect(inRamInstead(lost, null)).toBeNull()
    expect(inRamInstead(rom, null)).toEqual({ ...one, space: 'ram' })
    expect(inRamInstead(rom, 'This machine does not reach it.')).toBeNull()
  })

  it('does not undo in one machine what was edited in another', () => {
    expect(historyLimit(undefined, 'vice', 'Nothing was edited.')).toBe('Nothing was edited.')
    expect(historyLimit([{ ...one, machine: 'vice' }], 'vice', '')).toBeNull()
    expect(historyLimit([one], 'vice', '')).toMatch(/builtin/)
  })
})
