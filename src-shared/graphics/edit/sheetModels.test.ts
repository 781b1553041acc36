import { describe, expect, it } from 'vitest'
import type { Bitmap, CharacterSet, TextScreen } from '../artwork'
import { artworkPicture } from '../pictures/artworkPicture'
import { bytesOfPart, modesOf, withMode, withPart, type PlainArtwork } from './artworkParts'
import { cellValue } from './cellSurface'
import type { EditModel } from './model'
import { sheetModel, whyNotEdited, type SheetEdit } from './sheetModels'
import { withPoints, type Parts, type Point } from './surface'

const counting = (length: number, step: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * step + (at >> 8)) & 0xff)
const nibbles = (length: number): Uint8Array => counting(length, 7).map((value) => value & 0x0f)

const set: CharacterSet = {
  kind: 'characters',
  name: 'tiles',
  mode: 'multicolourText',
  bytes: counting(300 * 8, 5),
  backgrounds: [6, 2, 7, 9],
  colour: 3,
  colours: nibbles(300),
  materials: nibbles(300),
  tiles: { width: 2, height: 1, cells: Uint16Array.of(0, 299), colours: null, names: ['wall'] },
  map: { columns: 1, rows: 1, cells: Uint16Array.of(0) },
}
const plainSet: CharacterSet = { ...set, mode: 'text', colours: null, materials: null, tiles: null, map: null }
const screen: TextScreen = {
  kind: 'screen',
  name: 'title',
  mode: 'extendedText',
  columns: 20,
  rows: 12,
  border: 14,
  codes: counting(240, 3),
  colours: nibbles(240),
  backgrounds: [0, 1, 2, 3],
  characters: counting(2048, 11),
}
const koala: Bitmap = {
  kind: 'bitmap',
  name: 'koala',
  mode: 'multicolourBitmap',
  background: 4,
  border: 5,
  bitmap: counting(8000, 13),
  screen: counting(1000, 9),
  colours: nibbles(1000),
}
const hires: Bitmap = { ...koala, mode: 'bitmap' }
const modes: readonly TextScreen[] = [screen, { ...screen, mode: 'text' }, { ...screen, mode: 'multicolourText' }]
const all: readonly PlainArtwork[] = [set, plainSet, ...modes, koala, hires]

const edit: SheetEdit = {
  artwork: 1,
  columns: 16,
  cursor: { x: 0, y: 0 },
  brush: 'both',
  whenFull: 'replace',
  characterRom: counting(4096, 3),
}
const rom = { columns: 16, isTransparent: false, romCharacters: counting(4096, 3) }

function modelOf(artwork: PlainArtwork, changed: Partial<SheetEdit> = {}): EditModel {
  const model = sheetModel(artwork, { ...edit, ...changed })
  if (typeof model === 'string') throw new Error(model)
  return model
}

const partsOf = (artwork: PlainArtwork, { places }: EditModel): Uint8Array[] =>
  places.map((place) => (place.in === 'artwork' ? bytesOfPart(artwork, place.part) : new Uint8Array()))

const withParts = (artwork: PlainArtwork, { places }: EditModel, parts: Parts): PlainArtwork =>
  places.reduce<PlainArtwork>(
    (whole, place, n) => (place.in === 'artwork' ? withPart(whole, place.part, parts[n] ?? new Uint8Array()) : whole),
    artwork,
  )

function drawn(artwork: PlainArtwork, points: readonly Point[], changed: Partial<SheetEdit> = {}): PlainArtwork {
  const model = modelOf(artwork, changed)
  return withParts(artwork, model, withPoints(model.surface, partsOf(artwork, model), points))
}

function painted(artwork: PlainArtwork): Uint8Array {
  const model = modelOf(artwork)
  const { surface, scale } = model
  const out = new Uint8Array(surface.width * surface.height * scale * scale)
  model.paint(partsOf(artwork, model), out)
  return out
}

describe('artwork of the sheet in the editor', () => {
  it('comes back as it was where nothing was drawn', () => {
    for (const artwork of all) expect(drawn(artwork, [])).toEqual(artwork)
  })

  it('looks as it does everywhere else', () => {
    for (const artwork of [...modes, koala, hires])
      expect(painted(artwork)).toEqual(artworkPicture(artwork, rom).pixels)
    const sixteen = { ...set, bytes: set.bytes.slice(0, 16 * 16 * 8) }
    expect(painted(sixteen)).toEqual(artworkPicture(sixteen, rom).pixels)
  })

  it('is shown in each mode that it can have, with the same bytes', () => {
    for (const artwork of all)
      for (const mode of modesOf(artwork)) {
        const shown = withMode(artwork, mode)
        expect(shown).toEqual({ ...artwork, mode })
        expect(withMode(shown, artwork.mode)).toEqual(artwork)
        expect(sheetModel(shown, edit)).toBeTypeOf('object')
      }
    expect(withMode(koala, 'text')).toEqual(koala)
    expect(modesOf({ ...koala, screen: counting(8000, 3) })).toEqual(['multicolourBitmap'])
  })

  it('takes a stroke in a character, and keeps tiles, map, colours and names', () => {
    const after = drawn({ ...plainSet, tiles: set.tiles, map: set.map }, [{ x: 8, y: 8, value: 1 }])
    const bytes = plainSet.bytes.slice()
    bytes[17 * 8] = (bytes[17 * 8] ?? 0) | 0x80
    expect(after).toEqual({ ...plainSet, tiles: set.tiles, map: set.map, bytes })
  })

  it('takes a character on a screen of any size', () => {
    const after = drawn(screen, [{ x: 19, y: 11, value: cellValue(0x51, 2) }])
    expect(after).toEqual({ ...screen, codes: screen.codes.with(239, 0x51), colours: screen.colours.with(239, 2) })
  })

  it('takes a colour that a cell of a bitmap has not, within its limit', () => {
    const one: Bitmap = { ...hires, bitmap: new Uint8Array(8000), screen: new Uint8Array(1000).fill(0x10) }
    const after = drawn(one, [{ x: 0, y: 0, value: 2 }])
    expect(after).toEqual({ ...one, bitmap: one.bitmap.with(0, 0x80), screen: one.screen.with(0, 0x20) })
  })

  it('has its backgrounds as registers', () => {
    for (const artwork of [set, screen, koala]) {
      const model = modelOf(artwork)
      const parts = partsOf(artwork, model)
      const [swatch] = model.swatches(parts)
      expect(swatch?.source).toBe('background')
      const { part, offset } = swatch?.at ?? { part: -1, offset: 0 }
      parts[part]?.set([13], offset)
      expect(withParts(artwork, model, parts)).toEqual(
        artwork.kind === 'bitmap'
          ? { ...artwork, background: 13 }
          : { ...artwork, backgrounds: [13, ...artwork.backgrounds.slice(1)] },
      )
    }
  })

  it('tells the colour and the mode of the character at the cursor', () => {
    const model = modelOf(set, { cursor: { x: 8, y: 8 } })
    const own = model.swatches(partsOf(set, model)).at(-1)
    expect([own?.source, own?.at, own?.colour]).toEqual([
      'character 17',
      { part: 1, offset: 17 },
      7 & (set.colours?.[17] ?? 0),
    ])
    expect(model.modeAt).toEqual({ part: 1, offset: 17, mask: 8 })
    expect(
      modelOf(plainSet)
        .swatches(partsOf(plainSet, modelOf(plainSet)))
        .at(-1)?.source,
    ).toBe('all characters')
    expect(modelOf(plainSet).isMulticolour).toBeNull()
  })

  it('shows the ROM’s characters, and says whose they are where they are not the machine’s', () => {
    const lower: TextScreen = { ...screen, mode: 'text', characters: 'lower' }
    expect(modelOf(lower).text).toMatchObject({ isLower: true, characters: rom.romCharacters.slice(2048) })
    expect(modelOf(lower).note).toBeNull()
    expect(modelOf(lower, { romNote: 'These are others.' }).note).toBe('These are others.')
    expect(drawn(lower, [{ x: 0, y: 0, value: cellValue(1, 2) }])).toMatchObject({ characters: 'lower' })
  })

  it('is refused with the reason where each line has colours of its own, and where it is too large or empty', () => {
    expect(whyNotEdited({ ...koala, screen: new Uint8Array(8000) })).toContain('FLI')
    expect(whyNotEdited({ ...screen, columns: 1024, rows: 1024 })).toContain('too large')
    expect(whyNotEdited({ ...set, bytes: new Uint8Array() })).toContain('no character')
    expect(all.map(whyNotEdited)).toEqual(all.map(() => null))
  })
})
