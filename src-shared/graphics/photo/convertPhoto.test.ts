import { encode } from 'fast-png'
import { describe, expect, it } from 'vitest'
import { palettes } from '../../c64/palettes'
import { bitmapPixels, screenPixels, spriteArtPixels } from '../artworkPixels'
import { convert, convertInSteps, convertPhoto } from './convertPhoto'
import { photoDefaults, photoTargets, type PhotoOptions } from './options'
import type { Photo } from './photo'

const palette = palettes.pepto

/** @param colourAt a colour of the palette, or null for a clear pixel */
function photoOf(width: number, height: number, colourAt: (x: number, y: number) => number | null): Photo {
  const rgba = new Uint8Array(width * height * 4)
  for (let n = 0; n < width * height; n++) {
    const colour = colourAt(n % width, Math.floor(n / width))
    const rgb = palette[colour ?? 0] ?? 0
    rgba.set([rgb >> 16, (rgb >> 8) & 255, rgb & 255, colour === null ? 0 : 255], n * 4)
  }
  return { width, height, rgba }
}

const gradient: Photo = {
  width: 320,
  height: 200,
  rgba: Uint8Array.from({ length: 320 * 200 * 4 }, (_, at) => {
    const [x, y] = [(at >> 2) % 320, Math.floor((at >> 2) / 320)]
    return [x * 0.8, y * 1.27, 255 - x * 0.4, 255][at & 3] ?? 0
  }),
}

const options = (changes: Partial<PhotoOptions>): PhotoOptions => ({ ...photoDefaults, dither: 'off', ...changes })

function shownBy(photo: Photo, changes: Partial<PhotoOptions>): Uint8Array {
  const { artwork } = convert(photo, options(changes))
  if (artwork.kind === 'bitmap') return bitmapPixels(artwork).pixels
  if (artwork.kind === 'screen') return screenPixels(artwork, new Uint8Array(4096)).pixels
  return artwork.sprites[0] ? spriteArtPixels(artwork.sprites[0], artwork).pixels : new Uint8Array(0)
}

const quarters = (x: number, y: number): number => (x < 160 ? 2 : 5) + (y < 96 ? 0 : 4)

describe('a picture that the mode can show', () => {
  it.each(['bitmap', 'multicolourBitmap', 'characters'] as const)('comes back pixel by pixel as %s', (target) => {
    const photo = photoOf(320, 200, quarters)
    const shown = shownBy(photo, { target })
    expect(shown.findIndex((colour, n) => colour !== quarters(n % 320, Math.floor(n / 320)))).toBe(-1)
    const { numbers } = convert(photo, options({ target }))
    expect(numbers).toMatchObject({ colours: 4, lossyCells: 0 })
    expect(numbers.error).toBeCloseTo(0, 3)
  })

  it('comes back in multicolour characters: three shared colours, and one of the first eight in each cell', () => {
    const colourAt = (x: number, y: number): number => [11, 12, 15, x < 160 ? 2 : 6][((x >> 1) + y) % 4] ?? 0
    expect(shownBy(photoOf(320, 200, colourAt), { target: 'multicolourCharacters' })).toEqual(
      Uint8Array.from({ length: 64_000 }, (_, n) => colourAt(n % 320, Math.floor(n / 320))),
    )
  })

  it('comes back as a multicolour sprite with the colours that were searched for', () => {
    const colourAt = (x: number, y: number): number => [0, 7, 8, 2][((x >> 1) + y) % 4] ?? 0
    const { artwork } = convert(photoOf(24, 21, colourAt), options({ target: 'multicolourSprites', background: 0 }))
    if (artwork.kind !== 'sprites' || !artwork.sprites[0]) throw new Error('It is no sprite.')
    const { pixels } = spriteArtPixels(artwork.sprites[0], artwork)
    expect([...pixels].map((colour) => (colour > 15 ? artwork.background : colour))).toEqual(
      Array.from({ length: 504 }, (_, n) => colourAt(n % 24, Math.floor(n / 24))),
    )
  })

  it('becomes as many sprites as the grid has, row by row', () => {
    const { artwork, columns, rows } = convert(
      photoOf(48, 42, (x, y) => (x < 24 ? 2 : 5) + (y < 21 ? 0 : 4)),
      options({ target: 'sprites', columns: 2, rows: 2, background: 0 }),
    )
    expect(artwork.kind === 'sprites' && artwork.sprites.map(({ colour }) => colour)).toEqual([2, 5, 6, 9])
    expect([columns, rows]).toEqual([2, 2])
  })
})

describe('what is clear', () => {
  it('stays clear in sprites', () => {
    const shown = shownBy(
      photoOf(24, 21, (x) => (x < 12 ? null : 1)),
      { target: 'sprites' },
    )
    expect([shown[0], shown[23]]).toEqual([255, 1])
  })

  it('shows the background where a picture does not fill the screen', () => {
    const shown = shownBy(
      photoOf(200, 200, () => 2),
      { target: 'bitmap', fit: 'fit', background: 6 },
    )
    expect([shown[0], shown[160], shown[319]]).toEqual([6, 2, 6])
    expect(
      shownBy(
        photoOf(200, 200, () => 2),
        { target: 'bitmap', fit: 'fill', background: 6 },
      )[0],
    ).toBe(2)
  })
})

describe('cropping', () => {
  it('keeps the part that the position names', () => {
    const halves = photoOf(640, 100, (x) => (x < 320 ? 2 : 5))
    expect(new Set(shownBy(halves, { target: 'bitmap', fit: 'fill', x: 0 }))).toEqual(new Set([2]))
    expect(new Set(shownBy(halves, { target: 'bitmap', fit: 'fill', x: 1 }))).toEqual(new Set([5]))
  })

  it('takes pixels as wide as the machine shows them', () => {
    const square = photoOf(200, 200, () => 2)
    const widthOf = (aspect: PhotoOptions['aspect']): number =>
      shownBy(square, { target: 'bitmap', background: 0, aspect })
        .subarray(0, 320)
        .filter((colour) => colour === 2).length
    expect([widthOf('square'), widthOf('pal'), widthOf('ntsc')]).toEqual([200, 214, 267])
  })
})

describe('the limits of a mode', () => {
  it.each(photoTargets)('are kept by %s, whatever the picture is', (target) => {
    const { artwork, numbers } = convert(gradient, options({ target, dither: 'floyd-steinberg', columns: 4, rows: 2 }))
    if (artwork.kind === 'screen') expect(artwork.characters).toHaveLength(2048)
    if (artwork.kind === 'screen' && artwork.mode === 'multicolourText')
      expect(artwork.colours.every((colour) => colour >= 8)).toBe(true)
    if (artwork.kind === 'sprites') expect(artwork.sprites).toHaveLength(8)
    expect(numbers.cells).toBe(artwork.kind === 'sprites' ? 8 : 1000)
  })

  it('cost a cell that needs more colours, and only that', () => {
    const stripes = photoOf(320, 200, (x, y) => (x < 8 && y < 8 ? y : 0))
    const { loss, numbers, notes } = convert(stripes, options({ target: 'bitmap' }))
    expect(loss[0]).toBeGreaterThan(2)
    expect(loss.slice(1).every((value) => value === 0)).toBe(true)
    expect(numbers.lossyCells).toBe(1)
    expect(notes.join(' ')).toContain('1 cell of 1000')
  })

  it('merge the most alike of too many characters, and say how many', () => {
    let state = 1
    const noise = photoOf(320, 200, () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 31)
    const { artwork, numbers, notes } = convert(noise, options({ target: 'characters' }))
    expect(numbers.characters?.used).toBe(256)
    expect(numbers.characters?.merged).toBeGreaterThan(0)
    expect(notes[0]).toContain('merged')
    expect(artwork.kind).toBe('screen')
  })
})

describe('dithering', () => {
  const grey: Photo = {
    width: 320,
    height: 200,
    rgba: new Uint8Array(320 * 200 * 4).fill(128).map((v, at) => ((at & 3) === 3 ? 255 : v)),
  }

  it.each(['bayer2', 'bayer4', 'bayer8', 'floyd-steinberg'] as const)(
    '%s mixes colours where off shows one',
    (dither) => {
      expect(new Set(shownBy(grey, { target: 'bitmap' })).size).toBe(1)
      expect(new Set(shownBy(grey, { target: 'bitmap', dither, strength: 100 })).size).toBeGreaterThan(1)
      expect(new Set(shownBy(grey, { target: 'bitmap', dither, strength: 0 })).size).toBe(1)
    },
  )
})

describe('brightness, contrast and saturation', () => {
  it('change what is shown', () => {
    const colours = (changes: Partial<PhotoOptions>) => new Set(shownBy(gradient, { target: 'bitmap', ...changes }))
    expect(colours({ brightness: 100, contrast: 100 }).has(1)).toBe(true)
    expect(colours({ saturation: -100 }).size).toBeLessThan(colours({}).size)
    expect(colours({ contrast: -100 }).size).toBe(1)
  })
})

describe('a conversion', () => {
  it('reads a file, says how far it is and can be left between its steps', () => {
    const file = encode({ width: 320, height: 200, data: gradient.rgba, channels: 4 })
    expect(convertPhoto(file, { target: 'sprites', columns: 2, rows: 1 }).artwork.kind).toBe('sprites')
    const steps = convertInSteps(gradient, photoDefaults)
    const first = steps.next()
    expect(first.done).toBe(false)
    expect(first.value).toBeGreaterThan(0)
    steps.return(convert(gradient, photoDefaults))
  })
})
