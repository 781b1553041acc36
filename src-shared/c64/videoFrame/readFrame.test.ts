import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VideoChange, VideoFrame } from '../../contract/videoFrame'
import { unpackPixels } from '../picture'
import { renderPicture, rasterOf } from '../vicii'
import { readFrame } from './readFrame'

/** In bank 0: the screen at $0400, characters at $2000, 25 rows, 40 columns, all sprites off. */
const quiet = { 0x11: 0x1b, 0x16: 0x08, 0x18: 0x18 }

const registersWith = (values: Readonly<Record<number, number>>): Uint8Array => {
  const registers = new Uint8Array(0x2f)
  for (const [at, value] of Object.entries({ ...quiet, ...values })) registers[Number(at)] = value
  return registers
}

const register = (line: number, at: number, value: number, cycle = 0): VideoChange => ({
  line,
  cycle,
  kind: 'register',
  at,
  value,
})

function frame(values: Readonly<Record<number, number>>, changes: readonly VideoChange[] = []): VideoFrame {
  const ram = Uint8Array.from({ length: 0x10000 }, (_, at) => (at * 31 + (at >> 8)) & 0xff)
  ram.set([10, 11, 12, 13, 14, 15, 16, 17], 0x07f8)
  return {
    standard: 'pal',
    registers: registersWith(values),
    bank: 0,
    ram,
    changes: [...changes],
    characterRom: new Uint8Array(0x1000),
    colorRam: new Uint8Array(0x400).fill(1),
    isCut: false,
    cost: null,
    picture: null,
  }
}

const on = { 0x15: 1, 0x00: 100, 0x01: 80, 0x27: 2 }
const spritesOf = (of: VideoFrame) => readFrame(of).sprites

describe('the sprites of a frame', () => {
  it('are none where all are off, or out of the picture', () => {
    expect(spritesOf(frame({ 0x01: 80 }))).toEqual([])
    expect(spritesOf(frame({ ...on, 0x00: 0xfb, 0x10: 1 }))).toEqual([])
  })

  it('begin in the line below their Y, and last for 21 lines, or for 42', () => {
    expect(spritesOf(frame(on))).toMatchObject([{ n: 0, x: 100, y: 80, firstLine: 81, lastLine: 101, pointer: 10 }])
    expect(spritesOf(frame({ ...on, 0x17: 1 }))).toMatchObject([{ firstLine: 81, lastLine: 122, expandY: true }])
  })

  it('are found again where a sprite is used again below', () => {
    const again = [register(110, 0x01, 150), register(111, 0x00, 200), register(112, 0x27, 7)]
    const pointer = { line: 113, cycle: 0, kind: 'ram', at: 0x07f8, value: 99 } as const
    expect(spritesOf(frame(on, [...again, pointer]))).toMatchObject([
      { n: 0, x: 100, y: 80, colour: 2, pointer: 10, changes: [] },
      { n: 0, x: 200, y: 150, colour: 7, pointer: 99, address: 99 * 64, changes: [] },
    ])
  })

  it('do not begin again while they are shown', () => {
    expect(spritesOf(frame(on, [register(90, 0x01, 95)]))).toMatchObject([{ firstLine: 81, lastLine: 101 }])
    expect(spritesOf(frame(on, [register(95, 0x01, 101)]))).toMatchObject([{ firstLine: 81 }, { firstLine: 102 }])
  })

  it('are switched on and off by what was written before the sprites of a line are chosen', () => {
    expect(spritesOf(frame(on, [register(80, 0x15, 0, 53)]))).toEqual([])
    expect(spritesOf(frame(on, [register(80, 0x15, 0, 54)]))).toHaveLength(1)
  })

  it('tell what changes while they are shown', () => {
    const changes = [register(90, 0x00, 120), register(91, 0x27, 5), register(92, 0x1c, 1), register(93, 0x1b, 1)]
    const [sprite] = spritesOf(frame(on, changes))
    expect(sprite).toMatchObject({ x: 100, colour: 2, multicolour: false })
    expect(sprite?.changes).toEqual([
      { line: 90, part: 'x', to: 120 },
      { line: 91, part: 'colour', to: 5 },
      { line: 92, part: 'multicolour', to: true },
      { line: 93, part: 'behind', to: true },
    ])
  })

  it('say where the border covers them', () => {
    expect(spritesOf(frame({ ...on, 0x01: 20 }))).toMatchObject([{ firstLine: 21, inBorder: true }, { firstLine: 277 }])
    expect(spritesOf(frame({ ...on, 0x00: 0 }))).toMatchObject([{ inBorder: true }])
    expect(spritesOf(frame({ ...on, 0x00: 1 }))).toMatchObject([{ inBorder: false }])
  })
})

describe('the bands of a frame', () => {
  it('are the screen between its borders where nothing changes', () => {
    expect(readFrame(frame({ 0x20: 14, 0x21: 6 })).bands).toMatchObject([
      { firstLine: 16, lastLine: 287, border: 14, backgrounds: [6, 0, 0, 0], changed: [], inBorder: false },
    ])
  })

  it('begin where a register changes, and say which', () => {
    const changes = [register(99, 0x11, 0x3b, 40), register(99, 0x18, 0x18, 44), register(200, 0x20, 2)]
    const bank: VideoChange = { line: 99, cycle: 50, kind: 'bank', at: 0, value: 1 }
    expect(readFrame(frame({ 0x18: 0x18 }, [...changes.slice(0, 2), bank, ...changes.slice(2)])).bands).toMatchObject([
      { firstLine: 16, lastLine: 99, video: { mode: 'text' } },
      { firstLine: 100, lastLine: 199, changed: [0xd011, 0xdd00], video: { mode: 'bitmap', bitmap: 0x6000 } },
      { firstLine: 200, lastLine: 287, changed: [0xd020], border: 2 },
    ])
  })
})

const registerArbitrary = fc
  .uint8Array({ minLength: 0x2f, maxLength: 0x2f })
  .map((registers) => Uint8Array.from(registers, (value, at) => (at === 0x11 ? value | 0x10 : value)))

const changesArbitrary = fc
  .array(
    fc.record({
      line: fc.integer({ min: 0, max: 311 }),
      cycle: fc.integer({ min: 0, max: 62 }),
      kind: fc.constant('register' as const),
      at: fc.integer({ min: 0, max: 0x2e }),
      value: fc.integer({ min: 0, max: 255 }),
    }),
    { maxLength: 60 },
  )
  .map((changes) => changes.sort((a, b) => a.line * 63 + a.cycle - (b.line * 63 + b.cycle)))

describe('any frame', () => {
  it('in which nothing changes is the picture of its memory', () => {
    fc.assert(
      fc.property(registerArbitrary, (registers) => {
        const still = { ...frame({}), registers }
        const { ram, characterRom, colorRam } = still
        const { picture } = renderPicture({ ram, characterRom, colorRam, bank: 0, registers, standard: 'pal' })
        expect(unpackPixels(readFrame(still).picture.pixels)).toEqual(unpackPixels(picture.pixels))
      }),
      { numRuns: 20 },
    )
  })

  it('has sprites of 1 to 42 lines of which no two of one number overlap, and bands without gaps', () => {
    fc.assert(
      fc.property(registerArbitrary, changesArbitrary, (registers, changes) => {
        const { sprites, bands } = readFrame({ ...frame({}), registers, changes })
        const { lines } = rasterOf.pal
        for (let n = 0; n < 8; n++) {
          const own = sprites.filter((sprite) => sprite.n === n)
          for (const [index, { firstLine, lastLine }] of own.entries()) {
            const height = ((lastLine - firstLine + lines) % lines) + 1
            expect(height).toBeGreaterThanOrEqual(1)
            const before = own[index - 1]
            if (before) expect(firstLine).toBeGreaterThan(before.lastLine)
          }
        }
        expect(bands[0]?.firstLine).toBe(16)
        expect(bands.at(-1)?.lastLine).toBe(287)
        for (const [index, band] of bands.entries())
          if (index > 0) expect(band.firstLine).toBe((bands[index - 1]?.lastLine ?? 0) + 1)
      }),
      { numRuns: 40 },
    )
  })
})
