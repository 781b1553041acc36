import { describe, expect, it } from 'vitest'
import { setBit } from '../bitmap'
import { jumpArrows, linesAbove, listLines, referencesTo } from './codeListing'

/** LDX #5; loop: DEX; BNE loop; JSR $C010; BEQ $C00C; RTS; "HELLO!", 1, 2; at $C010 INC $D020; RTS */
const program = [
  0xa2, 0x05, 0xca, 0xd0, 0xfd, 0x20, 0x10, 0xc0, 0xf0, 0x00, 0x60, 0x48, 0x45, 0x4c, 0x4c, 0x4f, 0xee, 0x20, 0xd0,
  0x60,
]
const START = 0xc000
const memory = new Uint8Array(0x10000)
memory.set(program, START)
const read = (address: number): number => memory[address & 0xffff] ?? 0

/** The bits of ranges, both ends included. */
function setBits(ranges: readonly (readonly [number, number])[]): Uint8Array {
  const bits = new Uint8Array(0x2000)
  for (const [first, last] of ranges) for (let address = first; address <= last; address++) setBit(bits, address)
  return bits
}

const ran = setBits([
  [0xc000, 0xc00a],
  [0xc010, 0xc013],
])
const texts = (lines: readonly { readonly text: string }[]): string[] => lines.map(({ text }) => text)

describe('a listing', () => {
  it('shows what was never run after the end of a routine as data, up to what was run', () => {
    const lines = listLines(read, ran, START, 9)
    expect(texts(lines)).toEqual([
      'LDX #$05',
      'DEX',
      'BNE $C002',
      'JSR $C010',
      'BEQ $C00A',
      'RTS',
      '.text "HELLO"',
      'INC $D020',
      'RTS',
    ])
    expect(lines.map(({ kind }) => kind)).toEqual(['run', 'run', 'run', 'run', 'run', 'run', 'data', 'run', 'run'])
  })

  it('shows instructions alone where the machine does not tell what was run', () => {
    const lines = listLines(read, null, START + 10, 2)
    expect(texts(lines)).toEqual(['RTS', 'PHA'])
    expect(lines[0]?.kind).toBe('guess')
  })

  it('goes on with instructions after a branch that was always taken, until a routine ends', () => {
    const lines = listLines(
      read,
      setBits([
        [0xc000, 0xc004],
        [0xc010, 0xc013],
      ]),
      START,
      7,
    )
    expect(lines.slice(2, 6).map(({ kind }) => kind)).toEqual(['run', 'guess', 'guess', 'guess'])
    expect(lines[6]).toMatchObject({ kind: 'data', length: 5 })
  })

  it('has rows of data of eight bytes at most', () => {
    const lines = listLines(() => 0xff, new Uint8Array(0x2000), 0x1000, 2)
    expect(lines[0]).toMatchObject({ length: 8, text: `.byte ${Array.from({ length: 8 }, () => '$FF').join(',')}` })
    expect(lines[1]?.address).toBe(0x1008)
  })

  it('ends at the end of memory, wherever it begins', () => {
    for (const start of [0xfff0, 0xfffe, 0xffff])
      for (const runs of [null, ran]) {
        const lines = listLines(read, runs, start, 100)
        expect(lines.length).toBeGreaterThan(0)
        expect(lines.every(({ address }) => address <= 0xffff)).toBe(true)
      }
  })

  it('finds lines above an address that end just before it', () => {
    for (const runs of [null, ran])
      for (const address of [0xc000, 0xc002, 0xc005, 0xc010, 0xc013, 3, 1]) {
        const above = linesAbove(read, runs, address, 3)
        const last = above.at(-1)
        expect([address, (last?.address ?? 0) + (last?.length ?? 0)]).toEqual([address, address])
        for (const [index, line] of above.slice(1).entries())
          expect(line.address).toBe((above[index]?.address ?? 0) + (above[index]?.length ?? 0))
      }
    expect(linesAbove(read, ran, 0, 3)).toEqual([])
    expect(texts(linesAbove(read, ran, 0xc010, 2))).toEqual(['RTS', '.text "HELLO"'])
  })
})

describe('references', () => {
  it('are found in all memory, with what each does', () => {
    const of = (target: number) =>
      referencesTo(read, ran, target, 100).map(({ line, kind }) => [line.address, kind] as const)
    expect(of(0xc010)).toEqual([[0xc005, 'calls']])
    expect(of(0xc002)).toEqual([[0xc003, 'jumps']])
    expect(of(0xd020)).toEqual([[0xc010, 'changes']])
    expect(of(0x1234)).toEqual([])
  })

  it('are bounded', () => {
    const all = (address: number) => [0xad, 0x34, 0x12][address % 3] ?? 0
    expect(referencesTo(all, null, 0x1234, 50)).toHaveLength(50)
  })
})

describe('jump arrows', () => {
  it('join the lines of a jump within the view', () => {
    expect(jumpArrows(listLines(read, ran, START, 9), 3)).toEqual([
      { from: 2, to: 1, lane: 0 },
      { from: 4, to: 5, lane: 0 },
    ])
    expect(jumpArrows(listLines(read, ran, 0xc003, 5), 3)).toHaveLength(1)
  })

  it('never share a lane, and are left out when all are taken', () => {
    // Ten branches to the same place.
    const code = Array.from({ length: 10 }, (_, index) => [0xd0, 0x100 - 2 * index - 2]).flat()
    const lines = listLines((address) => code[address] ?? 0xea, null, 0, 11)
    for (const lanes of [1, 3]) {
      const arrows = jumpArrows(lines, lanes)
      expect(arrows.length).toBeLessThanOrEqual(lanes)
      expect(new Set(arrows.map(({ lane }) => lane)).size).toBe(arrows.length)
    }
  })
})
