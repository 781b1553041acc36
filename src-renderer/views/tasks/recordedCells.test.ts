import { describe, expect, it } from 'vitest'
import { cellsOf, sampledText } from './recordedCells'

const few = [
  { space: 'cpu', address: 0x00a2, length: 1 },
  { space: 'cpu', address: 0xd012, length: 2 },
] as const

describe('what was sampled', () => {
  it('is shown all where it is a few bytes', () => {
    expect(sampledText(few, 8)).toBe('$00A2 $D012 $D013')
  })

  it('is shown by the first byte of each range where it is more, and of a whole memory by its first', () => {
    expect(sampledText([...few, { space: 'cpu', address: 0x0400, length: 1000 }], 8)).toBe('$00A2 $D012 $0400')
    expect(
      sampledText(
        [
          { space: 'io', address: 0xd000, length: 0x1000 },
          { space: 'ram', address: 0, length: 0x10000 },
        ],
        8,
      ),
    ).toBe('$D000')
  })

  it('is found by addresses as they are typed, each once', () => {
    expect(cellsOf('$a2, $d013 $A2', few)).toEqual([
      { space: 'cpu', address: 0x00a2 },
      { space: 'cpu', address: 0xd013 },
    ])
  })

  it('is not what was not recorded, or is no address', () => {
    for (const text of ['$c000', '$a2 $c000', 'nothing here', '']) expect(cellsOf(text, few)).toBeNull()
  })
})
