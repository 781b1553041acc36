import { describe, expect, it } from 'vitest'
import { bytesOfValue, firstStep, nextStep, parseValueCondition, valueAt, type ValueSize } from './valueSearch'

const memory = (bytes: Record<number, number>): Uint8Array => {
  const image = new Uint8Array(0x10000)
  for (const [address, byte] of Object.entries(bytes)) image[Number(address)] = byte
  return image
}

/** The addresses that are left after each condition, with memory as it is then. */
function left(size: ValueSize, first: Uint8Array, ...steps: [condition: string, image: Uint8Array][]): number[] {
  let step = firstStep(first, size)
  for (const [condition, image] of steps) step = nextStep(step, image, condition, size)
  return [...step.candidates]
}

describe('searching a value', () => {
  it('finds the lives of a player, who had three and loses one', () => {
    const before = memory({ 0x10: 3, 0x20: 3, 0x30: 7 })
    const after = memory({ 0x10: 2, 0x20: 3, 0x30: 6 })
    expect(left(1, before, ['= 3', before])).toEqual([0x10, 0x20])
    expect(left(1, before, ['= 3', before], ['down 1', after])).toEqual([0x10])
  })

  it('finds an unknown value by how it changes', () => {
    const [first, second] = [memory({ 0x10: 5, 0x20: 5, 0x30: 5 }), memory({ 0x10: 9, 0x20: 4, 0x30: 5 })]
    expect(left(1, first, ['up', second])).toEqual([0x10])
    expect(left(1, first, ['down', second])).toEqual([0x20])
    expect(left(1, first, ['changed', second])).toEqual([0x10, 0x20])
    expect(left(1, first, ['changed 4', second])).toEqual([0x10])
    expect(left(1, first, ['changed', second], ['unchanged', second])).toEqual([0x10, 0x20])
    expect(left(1, first, ['> 3', first], ['unchanged', second])).toEqual([0x30])
  })

  it('compares with what was there at the last step, not at the first', () => {
    const [low, high] = [memory({ 0x10: 1 }), memory({ 0x10: 2 })]
    expect(left(1, low, ['up', high], ['down', low])).toEqual([0x10])
  })

  it('finds words, low byte first, up to the end of memory', () => {
    const score = memory({ 0xfffe: 0x10, 0xffff: 0x27 })
    expect(left(2, memory({}), ['= 10000', score])).toEqual([0xfffe])
    expect(valueAt(score, 0xfffe, 2)).toBe(10_000)
    expect([...bytesOfValue(10_000, 2)]).toEqual([0x10, 0x27])
  })
})

it.each(['= 3', '=3', '== 3', '!= $ff', '< 10', '> 0', 'up', 'DOWN', 'up 1', 'up by 1', 'changed', 'unchanged'])(
  'reads %s',
  (text) => {
    expect(parseValueCondition(text, 1)).toBeTypeOf('function')
  },
)

it.each(['', '3', '=', '= 256', '= $100', 'unchanged 1', 'more', 'up -1', '= 1 2', '= ' + '9'.repeat(50)])(
  'refuses %j',
  (text) => {
    expect(() => parseValueCondition(text, 1)).toThrow()
  },
)
