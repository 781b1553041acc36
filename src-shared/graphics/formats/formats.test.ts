import { assert, property, type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyBitmap, anyScreen, anySet, anySheet } from '../../../test/support/artworkArbitraries'
import { expectGolden } from '../../../test/support/goldenFile'
import * as samples from '../../../test/support/graphicsSamples'
import type { Artwork } from '../artwork'
import { formatNamed, formatsOf } from '.'

function formatOf(id: string) {
  const format = formatNamed(id)
  if (!format?.read || !format.write) throw new Error(`There is no format ${id} to read and write.`)
  return { ...format, read: format.read, write: format.write }
}

const plainSheet = { ...samples.sheet(3), name: '', animations: [] }
const animated = {
  ...samples.sheet(3),
  animations: [{ name: '', isPingPong: true, frames: [0, 1, 2].map((sprite) => ({ sprite, ms: 80 })) }],
}
const tiles = {
  width: 2,
  height: 1,
  cells: Uint16Array.of(0, 1, 2, 258),
  colours: null,
  names: ['grass', 'wall'],
}
const mapped = {
  ...samples.characters('multicolourText', 300),
  materials: samples.randomBytes(11, 300, 16),
  tiles,
  map: { columns: 3, rows: 2, cells: Uint16Array.of(0, 1, 0, 1, 1, 0) },
}

const golden: Readonly<Record<string, { file: string; artworks: readonly Artwork[] }>> = {
  'spritepad-1': { file: 'spritepad1.spd', artworks: [plainSheet] },
  'spritepad-2': { file: 'spritepad2.spd', artworks: [plainSheet] },
  'spritepad-5': { file: 'spritepad5.spd', artworks: [plainSheet] },
  spritemate: { file: 'spritemate.spm', artworks: [animated] },
  charpad: { file: 'charpad8.ctm', artworks: [mapped] },
  petmate: { file: 'screens.petmate', artworks: [samples.screen(), samples.screen('text', false)] },
  koala: { file: 'koala.koa', artworks: [samples.bitmap()] },
  'art-studio': { file: 'artStudio.art', artworks: [samples.bitmap('bitmap')] },
  'advanced-art-studio': { file: 'advancedArtStudio.ocp', artworks: [samples.bitmap()] },
  'fli-designer': { file: 'designer.fli', artworks: [{ ...samples.bitmap('multicolourBitmap', true), background: 0 }] },
  'blackmail-fli': { file: 'blackmail.bml', artworks: [samples.bitmap('multicolourBitmap', true)] },
  'raw-sprites': { file: 'sprites.bin', artworks: [plainSheet] },
  'raw-characters': { file: 'characters.bin', artworks: [samples.characters('text', 20)] },
  'raw-screen': { file: 'screen.bin', artworks: [samples.screen()] },
  'raw-bitmap': { file: 'bitmap.bin', artworks: [samples.bitmap('bitmap')] },
  'prg-sprites': { file: 'sprites.prg', artworks: [plainSheet] },
  'prg-characters': { file: 'characters.prg', artworks: [samples.characters('text', 20)] },
  'prg-screen': { file: 'screen.prg', artworks: [samples.screen()] },
  'prg-bitmap': { file: 'bitmap.prg', artworks: [samples.bitmap()] },
}

describe.each(Object.entries(golden))('%s', (id, { file, artworks }) => {
  const format = formatOf(id)
  const written = format.write(artworks, samples.exportOptions)

  it('writes the same file as ever', () => {
    expectGolden(file, written)
  })

  it('reads its own file without a problem', () => {
    expect(format.read(written).problems).toEqual([])
  })

  it('is among those that the file may have, by contents and name', () => {
    expect(formatsOf(written, file.split('.').at(-1) ?? '').map((each) => each.id)).toContain(id)
  })

  it('loads nothing from an empty file, and says so', () => {
    expect(format.read(new Uint8Array(0)).artworks).toEqual([])
    expect(format.read(new Uint8Array(0)).problems).not.toEqual([])
  })

  it('tells where a file ends too soon', () => {
    const cut = written.slice(0, Math.floor(written.length * 0.6))
    const { problems } = format.read(cut.subarray(0, cut.length - (cut.length % 8 === 2 ? 1 : 0) - 1))
    expect(problems).not.toEqual([])
    for (const { offset } of problems) expect(offset).toBeLessThanOrEqual(written.length)
  })

  it('refuses what it cannot hold', () => {
    const others: Artwork[] = [samples.sheet(1), samples.characters(), samples.screen('extendedText'), samples.bitmap()]
    const other = others.filter(({ kind }) => kind === 'screen' || !format.kinds.includes(kind)).slice(0, 1)
    if (id.endsWith('screen')) other[0] = samples.bitmap()
    expect(() => format.write(other, samples.exportOptions)).toThrow(expect.objectContaining({ code: 'INVALID' }))
  })
})

describe('what is written and read again', () => {
  const same = <Art extends Artwork>(id: string, any: Arbitrary<Art>, change: (art: Art) => Art = (art) => art) =>
    it(`is the same in ${id}`, () => {
      const format = formatOf(id)
      assert(
        property(any.map(change), (artwork) => {
          const { artworks, problems } = format.read(format.write([artwork], samples.exportOptions))
          expect(problems).toEqual([])
          expect(samples.textOf(artworks.map(samples.allPixels))).toBe(samples.textOf([samples.allPixels(artwork)]))
          expect(samples.textOf(artworks)).toBe(samples.textOf([artwork]))
        }),
        { numRuns: 25 },
      )
    })

  const nameless = anySheet.map((sheet) => ({
    ...sheet,
    sprites: sheet.sprites.map((each) => ({ ...each, name: '' })),
  }))
  for (const id of ['spritepad-1', 'spritepad-2', 'spritepad-5']) same(id, nameless)
  const animate = (sprites: number, first: number) => {
    const frames = Array.from({ length: sprites - first }, (_, n) => ({ sprite: first + n, ms: 20 * (first + 1) }))
    return frames.length > 1 ? [{ name: '', frames, isPingPong: first > 0 }] : []
  }
  same('spritepad-2', nameless, (sheet) => ({
    ...sheet,
    animations: [...animate(sheet.sprites.length, 0), ...animate(sheet.sprites.length, 1)],
  }))
  same('spritemate', anySheet)
  same('spritemate', anySheet, (sheet) => ({
    ...sheet,
    name: '"],',
    sprites: sheet.sprites.map((each) => ({ ...each, name: '\\"],[1],' })),
  }))
  same('charpad', anySet)
  same('petmate', anyScreen)
  const multicolour = anyBitmap('multicolourBitmap')
  same('koala', multicolour, (art) => ({ ...art, border: art.background }))
  same('advanced-art-studio', multicolour)
  same('art-studio', anyBitmap('bitmap'), (art) => ({ ...art, background: art.border }))
  same('fli-designer', anyBitmap('multicolourBitmap', true), (art) => ({ ...art, background: 0, border: 0 }))
  same('blackmail-fli', anyBitmap('multicolourBitmap', true), (art) => ({ ...art, border: art.background }))
  for (const form of ['raw', 'prg']) {
    same(`${form}-sprites`, nameless, (art) => ({ ...art, background: 6, multicolour1: 11, multicolour2: 12 }))
    same(`${form}-characters`, anySet, (art) => ({
      ...art,
      mode: 'text',
      backgrounds: [6, 0, 0, 0],
      colour: 1,
      colours: null,
      materials: null,
      tiles: null,
      map: null,
    }))
    same(`${form}-bitmap`, anyBitmap('bitmap'), (art) => ({ ...art, background: 0, border: 0 }))
    same(`${form}-bitmap`, multicolour, (art) => ({ ...art, border: art.background }))
  }
})
