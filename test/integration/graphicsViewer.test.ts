/** The programs that show graphics, run on the built-in C64: the picture has the pixels of the artwork. */
import { describe, expect, it } from 'vitest'
import { DISPLAY_X, displayY, PICTURE_WIDTH, unpackPixels } from '@shared/c64/picture'
import { TRANSPARENT } from '@shared/c64/sprites'
import type { Artwork, SpriteSheet } from '@shared/graphics/artwork'
import { bitmapPixels, screenPixels, spriteArtPixels, type Pixels } from '@shared/graphics/artworkPixels'
import { setOnScreen, viewer } from '@shared/graphics/formats/viewer'
import { placeOf } from '@shared/graphics/viewer/spriteViewer'
import { startProgram } from '../../src-main/machine/builtin/autostart'
import { C64 } from '../../src-main/machine/builtin/c64'
import { bitmap, characters, exportOptions, screen, sheet, sprite, textOf } from '../support/graphicsSamples'
import { readRoms } from '../support/ownRoms'

/** Long enough for the ROM to boot and the program to set up. */
const FRAMES = 150

function run(artwork: Artwork): C64 {
  const machine = new C64(readRoms(), 'pal')
  startProgram(machine, viewer.write?.([artwork], exportOptions) ?? new Uint8Array())
  for (let frame = 0; frame < FRAMES; frame++) machine.runFrame()
  return machine
}

function shownAt(machine: C64, left: number, top: number, width: number, height: number): Uint8Array {
  const picture = unpackPixels(machine.picture().pixels)
  return Uint8Array.from(
    { length: width * height },
    (_, at) =>
      picture[(displayY('pal') + top + Math.floor(at / width)) * PICTURE_WIDTH + DISPLAY_X + left + (at % width)] ?? 0,
  )
}

const shown = (artwork: Artwork): string => textOf(shownAt(run(artwork), 0, 0, 320, 200))
const characterRom = readRoms().character

describe('the program that shows', () => {
  it.each([
    ['a bitmap', bitmap('bitmap')],
    ['a multicolour bitmap', bitmap()],
  ] as const)('%s has its pixels', (_, picture) => {
    expect(shown(picture)).toBe(textOf(bitmapPixels(picture).pixels))
  })

  it.each([
    ['a screen with characters of its own', screen()],
    ['a multicolour screen', screen('multicolourText')],
    ['a screen with four backgrounds', screen('extendedText')],
    ['a screen in the characters of the ROM', screen('text', false)],
  ] as const)('%s has its pixels', (_, picture) => {
    expect(shown(picture)).toBe(textOf(screenPixels(picture, characterRom).pixels))
  })

  it('characters has them side by side', () => {
    const set = characters()
    expect(shown(set)).toBe(textOf(screenPixels(setOnScreen(set), characterRom).pixels))
  })

  const simple: SpriteSheet = { ...sheet(8), animations: [] }
  /** Whether the sprite stands there, before the background. */
  const isThere = (machine: C64, place: number, { pixels }: Pixels, background: number): boolean => {
    const { x, y } = placeOf(place)
    const expected = pixels.map((pixel) => (pixel === TRANSPARENT ? background : pixel))
    return textOf(shownAt(machine, x - 24, y - 50, 24, 21)) === textOf(expected)
  }

  it('eight sprites has each of them', () => {
    const machine = run(simple)
    const there = simple.sprites.map((each, place) =>
      isThere(machine, place, spriteArtPixels(each, simple), simple.background),
    )
    expect(there).toEqual(new Array(8).fill(true))
  })

  it('more sprites shows the next eight after a second', () => {
    const many: SpriteSheet = { ...sheet(11), animations: [] }
    const machine = run(many)
    const seen = () =>
      many.sprites.findIndex((each, index) => isThere(machine, index % 8, spriteArtPixels(each, many), many.background))
    const found = new Set<number>()
    for (let frame = 0; frame < 120; frame++) {
      found.add(seen())
      machine.runFrame()
    }
    expect(found).toEqual(new Set([0, 8]))
  })

  it('an animation shows its frames one after the other, there and back', () => {
    const frames = [0, 1, 2].map((each) => ({ sprite: each, ms: 40 + 20 * each }))
    const animated = { ...simple, animations: [{ name: '', isPingPong: true, frames }] }
    const machine = run(animated)
    const order: number[] = []
    for (let frame = 0; frame < 40; frame++) {
      order.push(
        simple.sprites.findIndex((each) => isThere(machine, 0, spriteArtPixels(each, simple), simple.background)),
      )
      machine.runFrame()
    }
    const from = order.findIndex((each, at) => each === 0 && order[at - 1] !== 0 && at > 0)
    expect(order.slice(from, from + 12)).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1])
  })

  it('an overlay has it before the sprite below', () => {
    const [below, above] = [sprite(1, { multicolour: false }), sprite(2, { overlay: true, multicolour: false })]
    const layered: SpriteSheet = { ...simple, sprites: [below, above] }
    const [first, second] = [spriteArtPixels(below, layered), spriteArtPixels(above, layered)]
    const both = {
      ...first,
      pixels: first.pixels.map((pixel, at) => (second.pixels[at] === TRANSPARENT ? pixel : (second.pixels[at] ?? 0))),
    }
    expect(isThere(run(layered), 0, both, layered.background)).toBe(true)
  })
})

describe('artwork that the program cannot show', () => {
  it.each([
    ['FLI', bitmap('multicolourBitmap', true), /FLI/],
    ['300 sprites', sheet(300), /239 sprites at most, not 300/],
    ['a set of 257 characters', characters('text', 257), /256 characters/],
    ['a screen of 41 columns', { ...screen(), columns: 41 }, /40 x 25/],
  ] as const)('%s is refused with the reason', (_, artwork, reason) => {
    expect(() => viewer.write?.([artwork], exportOptions)).toThrow(reason)
  })
})
