import { describe, expect, it } from 'vitest'
import { TRANSPARENT } from '../c64/sprites'
import { SCREEN_CELLS, type Bitmap, type CharacterSet, type SpriteArt, type TextScreen } from './artwork'
import { bitmapPixels, characterPixels, screenPixels, spriteArtPixels } from './artworkPixels'

const shared = { background: 6, multicolour1: 11, multicolour2: 12 }
const sprite: SpriteArt = {
  name: '',
  colour: 1,
  multicolour: false,
  expandX: false,
  expandY: false,
  overlay: false,
  bytes: Uint8Array.from({ length: 63 }, (_, at) => (at === 0 ? 0b00011011 : 0)),
}
const set: CharacterSet = {
  kind: 'characters',
  name: '',
  mode: 'text',
  colour: 1,
  colours: null,
  materials: null,
  tiles: null,
  map: null,
  backgrounds: [6, 2, 3, 4],
  bytes: Uint8Array.of(0b00011011, 0, 0, 0, 0, 0, 0, 0),
}
const screen: TextScreen = {
  kind: 'screen',
  name: '',
  mode: 'text',
  columns: 2,
  rows: 1,
  border: 0,
  backgrounds: [6, 2, 3, 4],
  codes: Uint8Array.of(0, 0x40),
  colours: Uint8Array.of(1, 9),
  characters: set.bytes,
}
const bitmap: Bitmap = {
  kind: 'bitmap',
  name: '',
  mode: 'bitmap',
  background: 6,
  border: 0,
  bitmap: Uint8Array.from({ length: 8 * SCREEN_CELLS }, (_, at) => (at === 0 || at === 1 ? 0b00011011 : 0)),
  screen: new Uint8Array(SCREEN_CELLS).fill(0x10),
  colours: new Uint8Array(SCREEN_CELLS).fill(3),
}
const first = (pixels: Uint8Array, count = 8): number[] => [...pixels.subarray(0, count)]

describe('a sprite', () => {
  it('shows a colour for each bit that is set, and what is behind it elsewhere', () => {
    const { pixels, width, height } = spriteArtPixels(sprite, shared)
    expect([width, height]).toEqual([24, 21])
    expect(first(pixels)).toEqual([TRANSPARENT, TRANSPARENT, TRANSPARENT, 1, 1, TRANSPARENT, 1, 1])
  })

  it('shows pairs of bits in the shared colours where it is multicolour', () => {
    const { pixels } = spriteArtPixels({ ...sprite, multicolour: true }, shared)
    expect(first(pixels)).toEqual([TRANSPARENT, TRANSPARENT, 11, 11, 1, 1, 12, 12])
  })
})

describe('a character', () => {
  it('is drawn in its own colour, or in that of the set', () => {
    expect(first(characterPixels(set, 0).pixels)).toEqual([6, 6, 6, 1, 1, 6, 1, 1])
    expect(first(characterPixels({ ...set, colours: Uint8Array.of(5) }, 0).pixels)).toEqual([6, 6, 6, 5, 5, 6, 5, 5])
  })

  it('is multicolour only where bit 3 of its colour is set', () => {
    const multicolour: CharacterSet = { ...set, mode: 'multicolourText', colours: Uint8Array.of(9) }
    expect(first(characterPixels(multicolour, 0).pixels)).toEqual([6, 6, 2, 2, 3, 3, 1, 1])
    expect(first(characterPixels({ ...multicolour, colours: Uint8Array.of(7) }, 0).pixels)).toEqual([
      6, 6, 6, 7, 7, 6, 7, 7,
    ])
  })
})

describe('a screen', () => {
  it('takes its characters from its own set, or from the ROM that it is given', () => {
    expect(first(screenPixels(screen, new Uint8Array(4096)).pixels)).toEqual([6, 6, 6, 1, 1, 6, 1, 1])
    const rom = new Uint8Array(4096)
    rom[2048] = 0xff
    expect(first(screenPixels({ ...screen, characters: 'lower' }, rom).pixels)).toEqual(new Array(8).fill(1))
  })

  it('takes the background from the upper bits of the code in extended colour text', () => {
    const { pixels } = screenPixels({ ...screen, mode: 'extendedText' }, new Uint8Array(4096))
    expect([...pixels.subarray(8, 16)]).toEqual([2, 2, 2, 9, 9, 2, 9, 9])
  })
})

describe('a bitmap', () => {
  it('takes both colours of a cell from the screen', () => {
    expect(first(bitmapPixels(bitmap).pixels)).toEqual([0, 0, 0, 1, 1, 0, 1, 1])
  })

  it('takes the background, two colours of the screen and one of colour RAM in multicolour', () => {
    expect(first(bitmapPixels({ ...bitmap, mode: 'multicolourBitmap' }).pixels)).toEqual([6, 6, 1, 1, 0, 0, 3, 3])
  })

  it('has a screen for each line of a row in FLI', () => {
    const screens = new Uint8Array(8 * SCREEN_CELLS).fill(0x10)
    screens.fill(0x70, SCREEN_CELLS, 2 * SCREEN_CELLS)
    const { pixels } = bitmapPixels({ ...bitmap, mode: 'multicolourBitmap', screen: screens })
    expect(first(pixels)).toEqual([6, 6, 1, 1, 0, 0, 3, 3])
    expect([...pixels.subarray(320, 328)]).toEqual([6, 6, 7, 7, 0, 0, 3, 3])
  })
})
