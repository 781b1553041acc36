import { describe, expect, it } from 'vitest'
import { setBit } from '../bitmap'
import { placesIn } from './banking'
import { LabelTable } from './labels/labelTable'
import { builtInNames, namesOf } from './labels/names'
import type { ProgramLabel } from './labels/programLabel'
import { heldBy, heldText, isNamedLike, namedBytes, parseHeld, pointersUsed } from './namedBytes'

const label = (name: string, address: number, size: number | null = null): ProgramLabel => ({
  name,
  address,
  size,
  scope: null,
  kind: 'data',
})
const none: ReadonlySet<number> = new Set()
const rows = (
  start: number,
  end: number,
  labels: readonly ProgramLabel[] = [],
  pointers = none,
  space = 'cpu' as const,
) =>
  namedBytes(
    { start, end },
    {
      names: labels.length === 0 ? builtInNames : namesOf(new LabelTable(labels)),
      places: placesIn(space, 7),
      pointers,
    },
  ).map(({ address, length, kind, name }) => [address, length, kind, name])

describe('memory by name', () => {
  it('has a row for each byte, and one for the two bytes of a word', () => {
    expect(rows(0x2b, 0x2f)).toEqual([
      [0x2b, 2, 'pointer', 'TXTTAB'],
      [0x2d, 2, 'pointer', 'VARTAB'],
    ])
    expect(rows(0x38, 0x3b)).toEqual([
      [0x38, 1, 'byte', 'MEMSIZ+1'],
      [0x39, 2, 'word', 'CURLIN'],
    ])
    expect(rows(0xa0, 0xa3).map(([, length]) => length)).toEqual([1, 1, 1])
    expect(rows(0, 0x100).reduce((sum, [, length]) => sum + Number(length), 0)).toBe(0x100)
  })

  it('cuts a word at the end of the range', () => {
    expect(rows(0x2b, 0x2c)).toEqual([[0x2b, 1, 'byte', 'TXTTAB']])
  })

  it('puts the program’s labels before the names that every C64 has, with words where it says so', () => {
    const labels = [label('lives', 0x2b, 1), label('score', 0xfb, 2), label('flag', 0xfd)]
    expect(rows(0x2b, 0x2d, labels)).toEqual([
      [0x2b, 1, 'byte', 'lives'],
      [0x2c, 1, 'byte', 'TXTTAB+1'],
    ])
    expect(rows(0xfb, 0xff, labels)).toEqual([
      [0xfb, 2, 'word', 'score'],
      [0xfd, 1, 'byte', 'flag'],
      [0xfe, 1, 'byte', 'FREEZP+3'],
    ])
  })

  it('takes for a pointer what code that ran took an address from, unless a label parts it', () => {
    expect(rows(0xfb, 0xfd, [], new Set([0xfb]))).toEqual([[0xfb, 2, 'pointer', 'FREEZP']])
    const parted = [label('low', 0xfb), label('high', 0xfc)]
    expect(rows(0xfb, 0xfd, parted, new Set([0xfb])).map(([, , kind]) => kind)).toEqual(['byte', 'byte'])
  })

  it('names no register of a chip in RAM', () => {
    expect(rows(0xd020, 0xd021)).toEqual([[0xd020, 1, 'byte', 'VIC.BORDER']])
    const inRam = namedBytes(
      { start: 0xd020, end: 0xd021 },
      { names: builtInNames, places: placesIn('ram', 7), pointers: none },
    )
    expect(inRam).toMatchObject([{ name: null, description: null }])
  })

  it('finds a row by its name, by what it stands for, and by its address', () => {
    const [row] = namedBytes(
      { start: 0x2b, end: 0x2d },
      { names: builtInNames, places: placesIn('cpu', 7), pointers: none },
    )
    const found = ['txt', 'BASIC program', '$002b', '', 'screen'].map((text) => row && isNamedLike(row, text))
    expect(found).toEqual([true, true, true, true, false])
  })

  it('tells what a row holds, the low byte first', () => {
    const [word, byte] = namedBytes(
      { start: 0x2b, end: 0x2e },
      { names: builtInNames, places: placesIn('cpu', 7), pointers: none },
    )
    const read = (address: number) => address & 0xff
    expect([word, byte].map((row) => row && heldText(row, heldBy(row, read)))).toEqual(['$2C2B', '$2D'])
  })
})

describe('the pointers that code used', () => {
  // LDA ($FB),Y; JMP ($0314); LDA ($FD,X) whose pointer depends on X; behind it the same first one, not run.
  const code = [0xb1, 0xfb, 0x6c, 0x14, 0x03, 0xa1, 0xfd, 0xb1, 0xf7]
  const read = (address: number) => code[address - 0x1000] ?? 0
  it('are those of what ran', () => {
    const runs = new Uint8Array(0x2000)
    for (let address = 0x1000; address < 0x1007; address++) setBit(runs, address)
    expect([...pointersUsed(read, runs)]).toEqual([0xfb, 0x314])
    expect([...pointersUsed(read, null)]).toEqual([])
  })
})

describe('a value typed in place of a row', () => {
  const [word, byte] = namedBytes(
    { start: 0x2b, end: 0x2e },
    { names: builtInNames, places: placesIn('cpu', 7), pointers: none },
  )
  it('is written with the low byte first, and refused where it is too large', () => {
    expect(word && [...parseHeld('$c001', word)]).toEqual([0x01, 0xc0])
    expect(byte && [...parseHeld('7', byte)]).toEqual([7])
    expect(() => byte && parseHeld('100', byte)).toThrow(expect.objectContaining({ code: 'INVALID' }))
  })
})
