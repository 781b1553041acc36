import { describe, expect, it } from 'vitest'
import { LabelTable } from '../labels/labelTable'
import { namesOf } from '../labels/names'
import { searchMemory, type SearchKind } from './searchMemory'

/** The addresses at which a query fits in 64 KiB of zeros with these bytes in it. */
function found(kind: SearchKind, query: string, parts: Record<number, readonly number[]>) {
  const bytes = new Uint8Array(0x10000)
  for (const [address, part] of Object.entries(parts)) bytes.set(part, Number(address))
  const range = { start: 0x0200, end: 0x10000 }
  return searchMemory({ start: 0, bytes }, { kind, query, range }, 100).matches
}
const addresses = (...given: Parameters<typeof found>) => found(...given).map(({ address }) => address)

describe('searching bytes', () => {
  const code = { 0x0810: [0xa9, 0x00, 0x8d, 0x20, 0xd0], 0x0820: [0xa9, 0x07, 0x8d, 0x21, 0xd0] }

  it.each([
    ['a9 00 8d', [0x0810]],
    ['a9 ?? 8d', [0x0810, 0x0820]],
    ['$a9,$00,$8d', [0x0810]],
    ['8D2?D0', [0x0812, 0x0822]],
    ['a9 0? 8d 21', [0x0820]],
  ])('finds %s', (query, expected) => {
    expect(addresses('bytes', query, code)).toEqual(expected)
  })

  it('finds bytes that overlap, up to the end of memory, and none before the range', () => {
    expect(
      addresses('bytes', 'ea ea', { 0x0100: [0xea, 0xea], 0x0300: [0xea, 0xea, 0xea], 0xfffe: [0xea, 0xea] }),
    ).toEqual([0x0300, 0x0301, 0xfffe])
    expect(addresses('bytes', 'ea ea ea', { 0xfffe: [0xea, 0xea] })).toEqual([])
  })

  it.each(['', 'a', 'xy', '??', 'a9 0', '?'.repeat(300), 'ea '.repeat(129)])('refuses %j', (query) => {
    expect(() => addresses('bytes', query, {})).toThrow()
  })

  it('counts what it does not list', () => {
    const bytes = new Uint8Array(0x1000).fill(0xea)
    const query = { kind: 'bytes', query: 'ea', range: { start: 0, end: 0x10000 } } as const
    expect(searchMemory({ start: 0x1000, bytes }, query, 2)).toEqual({
      matches: [0x1000, 0x1001].map((address) => ({ address, length: 1, bytes: Uint8Array.of(0xea), what: null })),
      total: 0x1000,
    })
  })
})

describe('searching text', () => {
  const score = {
    0x0400: [0x13, 0x03, 0x0f, 0x12, 0x05], // on the screen
    0x0500: [0x93, 0x83, 0x8f, 0x92, 0x85], // reversed
    0x0600: [0x53, 0x43, 0x4f, 0x52, 0x45], // PETSCII, keys alone; ASCII; capitals on the screen with small letters
    0x0700: [0xd3, 0xc3, 0xcf, 0xd2, 0xc5], // PETSCII with SHIFT; such capitals reversed
    0x0800: [0x73, 0x63, 0x6f, 0x72, 0x65], // ASCII small letters, which PETSCII takes for capitals
    0x0900: [0x53, 0x03, 0x0f, 0x12, 0x05], // Score on the screen, in the set with small letters
  }

  it('finds letters in both cases and in the codes that they may stand in', () => {
    expect(found('text', 'Score', score).map(({ address, what }) => [address, what])).toEqual([
      [0x0400, 'screen codes'],
      [0x0500, 'screen codes'],
      [0x0600, 'PETSCII'],
      [0x0700, 'PETSCII'],
      [0x0800, 'PETSCII'],
      [0x0900, 'screen codes'],
    ])
  })

  it('finds it in one code only, where that is asked', () => {
    expect(addresses('screen', 'SCORE', score)).toEqual([0x0400, 0x0500, 0x0600, 0x0700, 0x0900])
    expect(addresses('ascii', 'SCORE', score)).toEqual([0x0600, 0x0800])
    expect(addresses('petscii', 'SCORE', score)).toEqual([0x0600, 0x0700, 0x0800])
  })

  it('takes a question mark for any character', () => {
    expect(addresses('ascii', 's??re', score)).toEqual([0x0600, 0x0800])
  })

  it.each(['', '???', '€'])('refuses %j', (query) => {
    expect(() => addresses('text', query, {})).toThrow()
  })
})

describe('searching words and pointers', () => {
  const code = {
    0x0314: [0x31, 0xea],
    0x1000: [0x4c, 0x31, 0xea], // JMP $EA31
    0xea20: [0xd0, 0x0f], // BNE $EA31
  }

  it('finds a word, low byte first', () => {
    expect(addresses('word', '$ea31', code)).toEqual([0x0314, 0x1001])
    expect(addresses('word', '59953', code)).toEqual([0x0314, 0x1001])
  })

  it('finds what points to an address: words, operands and branches', () => {
    expect(found('pointer', '$ea31', code).map(({ address, what }) => [address, what])).toEqual([
      [0x0314, null],
      [0x1001, 'operand of JMP $EA31'],
      [0xea20, 'BNE $EA31'],
    ])
  })

  it('takes names', () => {
    expect(addresses('word', 'CHROUT', { 0x1000: [0x20, 0xd2, 0xff] })).toEqual([0x1001])
  })
})

describe('searching instructions', () => {
  const code = {
    0x0810: [0xa9, 0x00, 0x8d, 0x20, 0xd0], // LDA #$00, STA $D020
    0x0820: [0xa2, 0x07, 0x8e, 0x21, 0xd0], // LDX #$07, STX $D021
    0x0830: [0x9d, 0x00, 0xd0, 0x60], // STA $D000,X, RTS
    0x0840: [0x20, 0xd2, 0xff], // JSR $FFD2
  }

  it.each([
    ['sta $d0??', [0x0812]],
    ['sta $d0??*', [0x0812, 0x0830]],
    ['st? $d0??', [0x0812, 0x0822]],
    ['ld? #$?? : st? $d02?', [0x0810, 0x0820]],
    ['sta vic.border', [0x0812]],
    ['jsr chrout', [0x0840]],
    ['sta', [0x0812, 0x0830]],
    ['* $d000 , x', [0x0830]],
    ['rts', [0x0833]],
  ])('finds %s', (query, expected) => {
    expect(addresses('instruction', query, code)).toEqual(expected)
  })

  it('shows the instructions that it found', () => {
    expect(found('instruction', 'ld? #* : stx *', code)).toEqual([
      {
        address: 0x0820,
        length: 5,
        bytes: Uint8Array.of(0xa2, 0x07, 0x8e, 0x21, 0xd0),
        what: 'LDX #$07 : STX $D021',
      },
    ])
  })

  it.each(['', 'load #1', 'sta : ', 'sta nowhere', 'sta [1]', 'lda '.padEnd(90, '*'), 'nop:'.repeat(9) + 'nop'])(
    'refuses %j',
    (query) => {
      expect(() => addresses('instruction', query, {})).toThrow()
    },
  )
})

it('takes the labels of a program, and how far from one', () => {
  const label = (name: string, scope: string | null, address: number) =>
    ({ name, scope, address, size: null, kind: 'label' }) as const
  const names = namesOf(
    new LabelTable([
      label('draw', null, 0x0820),
      label('Draw', null, 0x0900),
      label('inner', 'draw', 0x0823),
      label('größe', null, 0xc000),
      label('twice', null, 0x0820),
      label('twice', null, 0x0900),
    ]),
  )
  const bytes = new Uint8Array(0x20)
  bytes.set([0x20, 0x20, 0x08, 0x20, 0x23, 0x08, 0x8d, 0x02, 0xc0])
  const range = { start: 0x0810, end: 0x0830 }
  const places = (kind: SearchKind, query: string) =>
    searchMemory({ start: 0x0810, bytes }, { kind, query, range }, 10, names).matches.map(({ address }) => address)
  expect(places('instruction', 'jsr draw')).toEqual([0x0810])
  expect(places('instruction', 'jsr draw.inner : sta größe+2')).toEqual([0x0813])
  expect(places('pointer', 'draw.inner')).toEqual([0x0814])
  expect(places('word', 'größe+$2')).toEqual([0x0817])
  expect(() => places('instruction', 'jsr twice')).toThrow('“twice” could be twice at $0820 or twice at $0900.')
})

it('gets through all memory with a pattern of many stars', () => {
  const bytes = Uint8Array.from({ length: 0x10000 }, (_, index) => (index * 7) & 0xff)
  const query = { kind: 'instruction', query: '* *$*?*?*?*', range: { start: 0, end: 0x10000 } } as const
  expect(searchMemory({ start: 0, bytes }, query, 10).total).toBeGreaterThan(1000)
})
