/** What is expected against what is there. */
import { describe, expect, it } from 'vitest'
import { textPattern } from '@shared/c64/search/textPatterns'
import { compareBytes, compareCycles, compareRegisters, compareText } from './compareMemory'
import { compareScreen } from './compareScreen'
import { matchesMachine } from './machineChoice'
import { typedText } from './steps'

const screen = ['READY.', '', '  TITLE', ...new Array<string>(22).fill('')].map((row) => row.padEnd(40))

describe('a screen', () => {
  it('fits what it shows, whatever blanks stand behind', () => {
    expect(compareScreen(screen, { contains: ['READY.', 'TITLE'] })).toBeNull()
    expect(compareScreen(screen, { contains: ['READY.\n\n  TITLE'] })).toBeNull()
    expect(compareScreen(screen, { lacks: ['ERROR'] })).toBeNull()
    expect(compareScreen(screen, { rows: { 0: 'READY.   ', 2: '  TITLE' } })).toBeNull()
    expect(compareScreen(screen, { equals: 'READY.\n\n  TITLE\n\n' })).toBeNull()
  })

  it('that differs is shown with the rows around', () => {
    expect(compareScreen(screen, { equals: 'READY.\n\n  TITEL' })).toEqual({
      message: 'Row 2 differs.',
      expected: '  1\n> 2   TITEL\n  3',
      found: '  1\n> 2   TITLE\n  3',
    })
    expect(compareScreen(screen, { rows: { 0: 'A', 24: 'B' } })).toEqual({
      message: 'Rows 0, 24 differ.',
      expected: '> 0 A\n  1\n   …\n 23\n>24 B',
      found: '> 0 READY.\n  1\n   …\n 23\n>24',
    })
  })

  it('tells which texts are missing, or there, and that only capitals differ', () => {
    expect(compareScreen(screen, { contains: ['READY.', 'ready.'] })).toMatchObject({
      message: 'The screen does not show “ready.”. Only capital and small letters differ.',
      expected: 'ready.',
      found: ' 0 READY.\n 2   TITLE',
    })
    expect(compareScreen(screen, { lacks: ['TITLE', 'ERROR'] })).toMatchObject({ message: 'The screen shows “TITLE”.' })
    expect(compareScreen([], { contains: ['A'] })).toMatchObject({ found: '(an empty screen)' })
  })

  it('has 25 rows', () => {
    expect(compareScreen(screen, { equals: 'A\n'.repeat(30) })).toMatchObject({ found: '25 rows' })
    expect(compareScreen(screen, { equals: 'A\n'.repeat(5_000_000) })).toMatchObject({ found: '25 rows' })
  })
})

describe('memory', () => {
  it('fits its bytes, with any byte in the place of ??', () => {
    expect(compareBytes('main', 0xc000, Uint8Array.of(1, 2, 3), [1, null, 3])).toBeNull()
  })

  it('that differs is shown by the rows that do', () => {
    const found = new Uint8Array(20).fill(0xaa)
    found[9] = 1
    expect(compareBytes('main', 0xc000, found, new Array<number>(20).fill(0xaa))).toEqual({
      message: 'main: 1 byte of 20 differs, the first at $C009.',
      expected: '$C008 AA AA AA AA AA AA AA AA',
      found: '$C008 AA 01 AA AA AA AA AA AA',
    })
    const many = compareBytes('all', 0, new Uint8Array(0x1_0000), new Array<number>(0x1_0000).fill(1))
    expect(many?.found.split('\n')).toHaveLength(13)
  })

  it('fits a text in the codes of the C64', () => {
    const text = (found: number[], code: 'petscii' | 'screen') =>
      compareText('text', 0x400, Uint8Array.from(found), { text: 'hi!', pattern: textPattern('hi!', code) })
    expect(text([0x48, 0x49, 0x21], 'petscii')).toBeNull()
    expect(text([0x08, 0x89, 0x21], 'screen')).toBeNull()
    expect(text([0x48, 0x4a, 0x21], 'petscii')).toEqual({
      message: 'text: 1 byte of 3 differs, the first at $0401.',
      expected: '“hi!”\n$0400 48  i 21',
      found: '$0400 48 4A 21',
    })
  })
})

describe('registers', () => {
  const registers = [
    { name: 'A', value: 5, bits: 8 },
    { name: 'PC', value: 0x0810, bits: 16 },
    { name: 'FL', value: 0b1000_0010, bits: 8 },
  ]

  it('fit by value and by flag', () => {
    const values = new Map([['A', 5]])
    expect(compareRegisters(registers, { values, flags: { n: 1, z: 1, c: 0 } })).toBeNull()
  })

  it('that differ are told, others not', () => {
    const values = new Map([
      ['A', 5],
      ['PC', 0x0820],
      ['X', 1],
    ])
    expect(compareRegisters(registers, { values, flags: { z: 0 } })).toEqual({
      message: 'PC, X, Z differ.',
      expected: 'PC = $0820\nX = $01\nZ = 0',
      found: 'PC = $0810\nX = unknown\nZ = 1',
    })
  })
})

describe('cycles', () => {
  it.each([
    [{ max: 100 }, 101, 'at most 100 cycles', 'draw: 101 cycles, 1 too many.'],
    [{ min: 100 }, 90, 'at least 100 cycles', 'draw: 90 cycles, 10 too few.'],
    [{ exact: 63 }, 64, 'exactly 63 cycles', 'draw: 64 cycles, 1 too many.'],
    [{ min: 10, max: 20 }, 9, '10 to 20 cycles', 'draw: 9 cycles, 1 too few.'],
  ])('outside of %j', (bounds, counted, expected, message) => {
    expect(compareCycles('draw', counted, bounds)).toMatchObject({ expected, message })
  })

  it('within their bounds', () => {
    expect(compareCycles('draw', 63, { exact: 63 })).toBeNull()
    expect(compareCycles('draw', 0, { max: 0 })).toBeNull()
  })
})

describe('a machine', () => {
  it('is meant by its name, or by its kind', () => {
    expect(matchesMachine('vice:6510', 'vice')).toBe(true)
    expect(matchesMachine('vice:6510', 'vice:6502')).toBe(false)
    expect(matchesMachine('builtin', 'builtin')).toBe(true)
    expect(matchesMachine('vice', 'builtin')).toBe(false)
  })
})

it('typed letters are keys without Shift', () => {
  expect(typedText('RUN{return}List{RETURN}')).toBe('run\nlist\n')
})
