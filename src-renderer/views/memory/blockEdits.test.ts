import { describe, expect, it } from 'vitest'
import { copy, fill, move } from './blockEdits'

const all = { start: 0, end: 0x10000 }
const bytes = Uint8Array.of(1, 2, 3, 4)

/** What memory of 16 bytes with these at `from` holds after the writes. */
function after(from: number, writes: ReturnType<typeof move>): number[] {
  const memory = new Uint8Array(16)
  memory.set(bytes, from)
  for (const { address, after } of writes) memory.set(after, address)
  return [...memory]
}

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)

describe('a block of bytes', () => {
  it('is filled with a byte or a pattern, cut off at its end', () => {
    expect(fill({ start: 0x400, end: 0x403 }, Uint8Array.of(7))).toEqual({
      address: 0x400,
      after: Uint8Array.of(7, 7, 7),
    })
    expect(fill({ start: 0x400, end: 0x405 }, Uint8Array.of(1, 2)).after).toEqual(Uint8Array.of(1, 2, 1, 2, 1))
  })

  it('is not copied past the end of memory', () => {
    expect(copy(bytes, 0xfffc, all)).toEqual({ address: 0xfffc, after: bytes })
    expect(() => copy(bytes, 0xfffd, all)).toThrow(/do not fit/)
    expect(() => copy(bytes, 0xcfff, { start: 0xd000, end: 0xe000 })).toThrow(/do not fit/)
  })

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('leaves zeros behind when it is moved from 5 to %i', (to) => {
    expect(after(5, move(bytes, 5, to, all))).toEqual([...zeros(to), ...bytes, ...zeros(12 - to)])
  })
})
