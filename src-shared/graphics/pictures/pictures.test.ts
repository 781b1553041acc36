import { describe, expect, it } from 'vitest'
import { decode } from 'fast-png'
import { zlibSync } from 'fflate'
import { expectGolden } from '../../../test/support/goldenFile'
import {
  allPixels,
  bitmap,
  characters,
  exportOptions,
  randomBytes,
  screen,
  sheet,
  sprite,
  textOf,
} from '../../../test/support/graphicsSamples'
import { palettes } from '../../c64/palettes'
import { crc32 } from '../../pngWriter'
import { SCREEN_CELLS, type Artwork, type Bitmap, type SpriteSheet } from '../artwork'
import { bitmapPixels } from '../artworkPixels'
import type { ExportOptions, GraphicsFormat } from '../format'
import { formatsOf } from '../formats'
import { apng } from '../formats/apng'
import { gif } from '../formats/gif'
import { png } from '../formats/png'
import { artworkPicture, enlarged, reduced } from './artworkPicture'
import { indexedPng } from './indexedPng'
import { knownPalettes } from './knownPalettes'

const write = (format: GraphicsFormat, artworks: readonly Artwork[], options: Partial<ExportOptions> = {}) =>
  format.write?.(artworks, { ...exportOptions, ...options }) ?? new Uint8Array()
const pixelsOf = (artworks: readonly Artwork[] = []) => textOf(artworks.flatMap(allPixels))
/** As another program saves it, without our text. */
const bare = (artwork: Artwork, options: Partial<ExportOptions> = {}) => {
  const all = { ...exportOptions, ...options }
  return indexedPng(enlarged(artworkPicture(artwork, all), all), all.palette)
}
const simple: SpriteSheet = {
  ...sheet(5),
  animations: [],
  sprites: [1, 2, 3, 4, 5].map((seed) => sprite(seed, { colour: 5 + seed, name: '' })),
}

describe('a PNG picture', () => {
  it('is what its golden file holds', () => {
    expectGolden('sheet.png', write(png, [sheet(5)], { scale: 2 }))
  })

  it.each([
    ['sprites', sheet(7)],
    ['multicolour characters', characters()],
    ['characters with backgrounds of their own', characters('extendedText')],
    ['a screen', screen('multicolourText')],
    ['a bitmap', bitmap('bitmap')],
    ['a multicolour bitmap', bitmap()],
    ['FLI', bitmap('multicolourBitmap', true)],
  ] as const)('gives %s back at any size, as they were', (_, artwork) => {
    for (const more of [{}, { scale: 3, aspect: 'pal' }, { scale: 8, aspect: 'ntsc', isTransparent: false }] as const)
      expect(textOf(png.read?.(write(png, [artwork], more)))).toBe(textOf({ artworks: [artwork], problems: [] }))
  })

  it('of a screen in the ROM’s characters comes back with the same pixels', () => {
    const words = { ...screen('text', false), colours: new Uint8Array(SCREEN_CELLS).fill(1) }
    const read = png.read?.(write(png, [words]))
    expect(read?.artworks[0]?.kind).toBe('bitmap')
    expect(pixelsOf(read?.artworks)).toBe(pixelsOf([words]))
  })

  it('has the colours of the palette in order, and one that is clear', () => {
    const { palette, width, height } = decode(write(png, [simple], { columns: 3 }))
    expect([width, height]).toEqual([72, 42])
    expect(palette).toHaveLength(17)
    expect(palette?.[16]?.[3]).toBe(0)
    expect(decode(write(png, [simple], { isTransparent: false })).palette).toHaveLength(16)
  })

  it.each([
    ['sprites', simple, {}],
    ['sprites before a colour, enlarged', simple, { isTransparent: false, scale: 4, aspect: 'pal', columns: 5 }],
    ['a bitmap', bitmap('bitmap'), { scale: 2 }],
    ['a multicolour bitmap', bitmap(), { aspect: 'ntsc' }],
    ['characters', { ...characters('text', 64), colours: randomBytes(4, 64, 6) }, { scale: 3, columns: 16 }],
  ] as const)('of another program is read as %s where it is on the grid', (_, artwork, more) => {
    const read = png.read?.(bare(artwork, more))
    expect(read?.problems).toEqual([])
    expect(read?.artworks[0]?.kind).toBe(artwork.kind)
    const options = { ...exportOptions, ...more }
    const shown = (artworks: readonly Artwork[] = []) => textOf(artworks.map((each) => artworkPicture(each, options)))
    expect(shown(read?.artworks)).toBe(shown([artwork]))
  })

  it('that was changed counts as it is drawn, and not as it was', () => {
    const file = write(png, [simple])
    const other = write(png, [{ ...simple, sprites: simple.sprites.toReversed() }])
    // The text of one file in the picture of the other.
    const text = /zTXt/.exec(Buffer.from(file).toString('latin1'))?.index ?? 0
    const theirs = /zTXt/.exec(Buffer.from(other).toString('latin1'))?.index ?? 0
    const length = Buffer.from(file).readUInt32BE(text - 4) + 12
    const lengthTheirs = Buffer.from(other).readUInt32BE(theirs - 4) + 12
    const mixed = Buffer.concat([
      other.subarray(0, theirs - 4),
      file.subarray(text - 4, text - 4 + length),
      other.subarray(theirs - 4 + lengthTheirs),
    ])
    const read = png.read?.(mixed)
    expect(textOf(read?.artworks.flatMap(allPixels).slice(0, 5))).toBe(
      pixelsOf([{ ...simple, sprites: simple.sprites.toReversed() }]),
    )
  })

  it('that is damaged tells the byte and what was expected', () => {
    const file = write(png, [simple])
    const problemOf = (bytes: Uint8Array) => png.read?.(bytes).problems[0]
    expect(problemOf(file.subarray(0, 100))?.offset).toBe(100)
    expect(problemOf(Uint8Array.of(0x89, 0x50, 0))?.offset).toBe(2)
    expect(problemOf(file.with(60, 0xff ^ (file[60] ?? 0)))?.text).toMatch(/check sum of the chunk PLTE/)
    expect(png.read?.(new Uint8Array()).artworks).toEqual([])
  })

  it('that is no artwork tells which colour or which grid it lacks', () => {
    const many = Array.from({ length: 17 }, (_, n) => 0x123440 + n)
    const foreign = indexedPng({ width: 17, height: 1, pixels: Uint8Array.from(many.keys()) }, many)
    expect(png.read?.(foreign).problems).toEqual([
      { offset: 0, text: 'Expected up to sixteen colours, found one more, #123450, in column 16, line 0.' },
    ])
    expect(
      png.read?.(indexedPng({ width: 3, height: 1, pixels: Uint8Array.of(0, 1, 2) }, exportOptions.palette)).problems,
    ).toMatchObject([{ text: expect.stringMatching(/^Expected sprites of 24 x 21/) as string }])
  })

  describe.each(knownPalettes)('in the palette $title', ({ colours }) => {
    const picture = bitmapPixels(bitmap('bitmap'))
    const wrong = (file: Uint8Array, palette?: readonly number[]) => {
      const read = png.read?.(file, { palette })
      const pixels = read?.artworks.flatMap(allPixels)[0]?.pixels
      return { count: picture.pixels.filter((pixel, at) => pixel !== pixels?.[at]).length, notes: read?.notes }
    }

    it('is read without a wrong pixel of 64,000, by that palette and without it', () => {
      const file = indexedPng(picture, colours)
      expect(wrong(file)).toEqual({ count: 0, notes: undefined })
      expect(wrong(file, colours)).toEqual({ count: 0, notes: undefined })
    })

    it('with colours a little off is read as the nearest, without a wrong pixel, which is told', () => {
      const off = colours.map((colour) => colour ^ 0x030201)
      expect(wrong(indexedPng(picture, off))).toMatchObject({
        count: 0,
        notes: [{ text: expect.any(String) as string }],
      })
    })
  })

  it('in the palette of the window is read by that', () => {
    const shown = palettes.pepto.toReversed()
    const picture = bitmapPixels(bitmap('bitmap'))
    const read = png.read?.(indexedPng(picture, shown), { shownPalette: shown })
    expect(read?.notes).toBeUndefined()
    expect(textOf(read?.artworks.flatMap(allPixels))).toBe(textOf([picture]))
  })

  it('in another palette is read by the nearest known one with a note, and by the palette given without', () => {
    const artwork = bitmap('bitmap')
    const other = palettes.colodore.map((colour) => colour ^ 0x030201)
    const file = indexedPng(bitmapPixels(artwork), other)
    const near = png.read?.(file)
    expect(near?.notes).toEqual([expect.objectContaining({ text: expect.stringContaining('Colodore') as string })])
    expect(near?.problems).toEqual([])
    const given = png.read?.(file, { palette: other })
    expect(given?.notes).toBeUndefined()
    for (const read of [near, given]) expect(textOf(read?.artworks.map(allPixels))).toBe(textOf([allPixels(artwork)]))
    const swapped = other.toReversed()
    const mirrored = png.read?.(indexedPng(bitmapPixels(artwork), swapped), { palette: swapped })
    expect(textOf(mirrored?.artworks.map(allPixels))).toBe(textOf([allPixels(artwork)]))
  })

  it.each([
    ['PAL', 384, 272, 32, 35],
    ['PAL with full borders', 408, 293, 48, 43],
    ['PAL with all of the borders', 504, 312, 136, 51],
    ['PAL-N with full borders', 424, 293, 56, 43],
    ['PAL-N with all of the borders', 520, 312, 136, 51],
    ['NTSC', 384, 247, 32, 23],
    ['NTSC with full borders', 424, 253, 56, 29],
    ['NTSC with all of the borders', 520, 263, 136, 31],
    ['old NTSC with all of the borders', 512, 262, 136, 31],
  ])('that is a screenshot of VICE in %s is read as the bitmap in its window, with the border', (...shape) => {
    const [, width, height, left, top] = shape
    const artwork = bitmap('bitmap')
    const inside = bitmapPixels(artwork)
    const pixels = new Uint8Array(width * height).fill(14)
    for (let y = 0; y < 200; y++) pixels.set(inside.pixels.subarray(y * 320, (y + 1) * 320), (y + top) * width + left)
    const shot = (shown: Uint8Array) => png.read?.(indexedPng({ width, height, pixels: shown }, exportOptions.palette))
    const read = shot(pixels)
    expect(read?.artworks.map((each) => each.kind === 'bitmap' && each.border)).toEqual([14])
    expect(textOf(read?.artworks.map(allPixels))).toBe(textOf([allPixels(artwork)]))
    expect(read?.notes).toBeUndefined()
    expect(shot(pixels.with(5, 2))?.notes).toHaveLength(1)
  })

  it('can be made smaller only where each pixel is a block', () => {
    const picture = bitmapPixels(bitmap('bitmap'))
    for (const aspect of ['square', 'pal', 'ntsc'] as const)
      for (const scale of [1, 2, 5])
        expect(reduced(enlarged(picture, { scale, aspect }), { scale, aspect })).toEqual(picture)
    expect(reduced(picture, { scale: 2, aspect: 'square' })).toBeNull()
  })
})

/** The file with other packed bytes in its last chunk of pixels. */
function withData(file: Uint8Array, name: 'IDAT' | 'fdAT' | 'zTXt', keep: number, data: Uint8Array): Uint8Array {
  const at = Buffer.from(file).lastIndexOf(name) - 4
  const view = new DataView(file.buffer, file.byteOffset)
  const end = at + 12 + view.getUint32(at)
  const body = Uint8Array.from([...file.subarray(at + 4, at + 8 + keep), ...data])
  const chunk = new Uint8Array(8 + body.length)
  new DataView(chunk.buffer).setUint32(0, body.length - 4)
  new DataView(chunk.buffer).setUint32(4 + body.length, crc32(body))
  chunk.set(body, 4)
  return Uint8Array.from([...file.subarray(0, at), ...chunk, ...file.subarray(end)])
}

describe('an animated PNG', () => {
  it('that is interlaced is refused with the reason', () => {
    const file = write(apng, [simple]).slice()
    file[28] = 1
    new DataView(file.buffer).setUint32(29, crc32(file.subarray(12, 29)))
    const text = 'Expected an animated PNG that is not interlaced.'
    expect(apng.read?.(file)).toEqual({ artworks: [], problems: [{ offset: 28, text }] })
  })
})

describe('a picture that unpacks to far more than it shows', () => {
  const bomb = zlibSync(new Uint8Array(64 * 1024 * 1024))

  it('is refused as PNG and as animated PNG', () => {
    const refused = { artworks: [], problems: [{ text: expect.stringContaining('cannot be unpacked') as string }] }
    expect(png.read?.(withData(bare(bitmap()), 'IDAT', 0, bomb))).toMatchObject(refused)
    expect(apng.read?.(withData(write(apng, [simple]), 'fdAT', 4, bomb))).toMatchObject(refused)
  })

  it('is refused where it is what we keep beside the pixels', () => {
    const kept = write(png, [bitmap()])
    const start = Buffer.from(kept).lastIndexOf('zTXt') + 4
    expect(png.read?.(withData(kept, 'zTXt', kept.indexOf(0, start) + 2 - start, bomb)).artworks).toEqual([])
  })
})

describe.each([[apng], [gif]])('$title', (format) => {
  const animated: SpriteSheet = {
    ...simple,
    animations: [{ name: 'walk', isPingPong: true, frames: [0, 1, 2].map((at) => ({ sprite: at, ms: 40 + at * 20 })) }],
  }

  it('is what its golden file holds', () => {
    expectGolden(`walk.${format.extensions[0] ?? ''}`, write(format, [animated], { scale: 2 }))
  })

  it.each([1, 3])('plays an animation there and back, with its times, at size %i', (scale) => {
    const file = write(format, [animated], { scale })
    expect(formatsOf(file, format.extensions[0] ?? '')[0]?.id).toBe(format.id)
    const read = format.read?.(file)
    const [again] = read?.artworks ?? []
    expect(read?.problems).toEqual([])
    expect(again?.kind === 'sprites' && again.animations[0]?.frames.map(({ ms }) => ms)).toEqual([40, 60, 80, 60])
    const order = [0, 1, 2, 1].flatMap((at) => simple.sprites[at] ?? [])
    expect(pixelsOf(read?.artworks)).toBe(pixelsOf([{ ...simple, sprites: order }]))
  })

  it('holds one of several animations, and says which there are where none is chosen', () => {
    const run = { name: 'run', isPingPong: false, frames: [{ sprite: 3, ms: 50 }] }
    const both = { ...animated, animations: [...animated.animations, run] }
    expect(() => write(format, [both])).toThrow(/these are 2: 1 walk, 2 run/)
    expect(() => write(format, [both], { animation: 3 })).toThrow(/no animation 3/)
    const [again] = format.read?.(write(format, [both], { animation: 2 })).artworks ?? []
    expect(pixelsOf(again && [again])).toBe(pixelsOf([{ ...simple, sprites: simple.sprites.slice(3, 4) }]))
  })

  it('shows the sprites of a sheet one after the other where it has no animation', () => {
    const [again] = format.read?.(write(format, [simple], { frameMs: 200 })).artworks ?? []
    expect(pixelsOf(again && [again])).toBe(pixelsOf([simple]))
    expect(again?.kind === 'sprites' && again.animations[0]?.frames[4]).toEqual({ sprite: 4, ms: 200 })
  })

  it('shows pictures one after the other', () => {
    const pictures: Bitmap[] = [
      bitmap('bitmap'),
      { ...bitmap('bitmap'), screen: new Uint8Array(SCREEN_CELLS).fill(0x12) },
    ]
    expect(write(format, pictures).length).toBeGreaterThan(2000)
    expect(() => write(format, [...pictures, simple])).toThrow(/one size/)
  })

  it('with several pictures that are no sprites is read as the first of them, told as a note', () => {
    const other = { ...bitmap('bitmap'), screen: new Uint8Array(SCREEN_CELLS).fill(0x12) }
    const read = format.read?.(write(format, [bitmap('bitmap'), other]))
    expect(read?.problems).toEqual([])
    expect(read?.notes?.map(({ text }) => text)).toEqual(['The file has 2 pictures; only the first is loaded.'])
    expect(textOf(read?.artworks.map(allPixels))).toBe(textOf([allPixels(bitmap('bitmap'))]))
  })

  it('that is cut tells where', () => {
    const file = write(format, [animated])
    expect(format.read?.(file.subarray(0, file.length - 60)).problems).toHaveLength(1)
    expect(format.read?.(Uint8Array.of(1, 2, 3)).problems).toHaveLength(1)
  })
})
