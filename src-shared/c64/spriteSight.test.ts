import { describe, expect, it } from 'vitest'
import { spriteSights, type SpriteSight } from './spriteSight'
import { decodeSprites } from './sprites'

const BLUE = 6
const WHITE = 1
const solid = Array<number>(63).fill(0xff)
/** In bank 0: the screen at $0400, sprites' data at $0340, characters at $2000. */
const power = { 0x11: 0x1b, 0x16: 0x08, 0x18: 0x18, 0x20: 14, 0x21: BLUE, 0x27: WHITE, 0x28: WHITE }
const inside = { 0x00: 100, 0x01: 100, 0x02: 100, 0x03: 100 }

interface Setup {
  readonly registers?: Readonly<Record<number, number>>
  readonly data?: readonly number[]
  /** Fills the screen with a character of set bits. */
  readonly isCovered?: boolean
}

function sights({ registers = {}, data = solid, isCovered = false }: Setup): SpriteSight[] {
  const ram = new Uint8Array(0x10000)
  ram.set(data, 0x0340)
  ram.fill(13, 0x07f8, 0x0800)
  ram.fill(0xff, 0x2008, 0x2010)
  if (isCovered) ram.fill(1, 0x0400, 0x07e8)
  const io = new Uint8Array(0x1000)
  for (const [register, value] of Object.entries({ ...power, ...inside, ...registers })) io[Number(register)] = value
  io[0xd00] = 0x03
  const characterRom = new Uint8Array(0x1000)
  return spriteSights(
    { ram, characterRom, colorRam: new Uint8Array(0x400).fill(2), bank: 0, registers: io, standard: 'pal' },
    decodeSprites({ io, ram, characterRom }),
  )
}

const first = (setup: Setup) => sights(setup)[0]

describe('a sprite', () => {
  it('is seen with as many pixels as its data fills', () => {
    expect(first({ registers: { 0x15: 1 } })).toEqual({ n: 0, seen: 504, filled: 504, reason: null, why: null })
    expect(first({ registers: { 0x15: 1, 0x17: 1, 0x1d: 1 } })).toMatchObject({ seen: 2016, filled: 2016 })
  })

  it('is seen in part where the border covers the rest', () => {
    expect(first({ registers: { 0x15: 1, 0x00: 12 } })).toMatchObject({ seen: 12 * 21, reason: null })
  })

  it.each<[why: string, reason: SpriteSight['reason'], Setup]>([
    ['It is off: bit 0 of $D015 is clear.', 'off', {}],
    ['Its data at $0340 is empty.', 'empty', { registers: { 0x15: 1 }, data: [] }],
    ['the display is off', 'displayOff', { registers: { 0x15: 1, 0x11: 0x0b } }],
    ['no line has a place x 508', 'outside', { registers: { 0x15: 1, 0x00: 508 & 0xff, 0x10: 1 } }],
    ['The border covers it at x 0, y 100', 'border', { registers: { 0x15: 1, 0x00: 0 } }],
    ['The border covers it at x 100, y 250', 'border', { registers: { 0x15: 1, 0x01: 250 } }],
    ['the screen is x 31 to 334', 'border', { registers: { 0x15: 1, 0x16: 0, 0x00: 5 } }],
    ['It is behind the foreground', 'behind', { registers: { 0x15: 1, 0x1b: 1 }, isCovered: true }],
    ['It has the colour of what is behind it.', 'colour', { registers: { 0x15: 1, 0x27: BLUE } }],
    ['Several things hide it', 'several', { registers: { 0x15: 1, 0x1b: 1, 0x27: 2 }, isCovered: true }],
    ['The border covers the part of it that has pixels.', 'border', { registers: { 0x15: 1, 0x00: 12 }, data: [0xf0] }],
  ])('says why it is not seen: %s', (why, reason, setup) => {
    const [sight] = sights(setup)
    expect(sight).toMatchObject({ seen: 0, reason })
    expect(sight?.why?.toLowerCase()).toContain(why.toLowerCase())
  })

  it('is covered by one with a lower number', () => {
    const [front, back] = sights({ registers: { 0x15: 3, 0x27: 5 } })
    expect([front?.reason, back?.reason, back?.why]).toEqual([null, 'covered', 'Sprites with a lower number cover it.'])
  })
})
