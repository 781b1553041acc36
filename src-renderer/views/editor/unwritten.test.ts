import { describe, expect, it } from 'vitest'
import type { Place } from '@shared/graphics/edit/model'
import { withoutUnwritten, type Step } from './unwritten'

const place: Place = { in: 'machine', space: 'ram', address: 0x2000, length: 64 }
const step = (offset: number, before: number[], after: number[]): Step => ({
  machine: 'vice',
  changes: [{ place, offset, before: Uint8Array.from(before), after: Uint8Array.from(after) }],
})
const byte = (address: number, value: number) => ({ space: 'ram' as const, address, value })
const texts = (steps: readonly Step[]) =>
  steps.map((each) =>
    each.changes.map(({ offset, before, after }) => `${offset}: ${[...before].join()} > ${[...after].join()}`),
  )

describe('the history of what was not written', () => {
  it('keeps the steps that are in the machine, and of others the bytes that are', () => {
    const steps = [step(0, [0], [1]), step(0, [1, 0, 0], [2, 7, 8])]
    const kept = withoutUnwritten(steps, [byte(0x2000, 2), byte(0x2002, 8)], ({ address }) =>
      address === 0x2000 ? 1 : 0,
    )
    expect(texts(kept)).toEqual([['0: 0 > 1'], ['1: 0 > 7']])
  })

  it('loses each step that was drawn over one that was not written', () => {
    const steps = [step(3, [0], [1]), step(3, [1], [2])]
    expect(withoutUnwritten(steps, [byte(0x2003, 2)], () => 0)).toEqual([])
  })
})
