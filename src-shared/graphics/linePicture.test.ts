import { describe, expect, it } from 'vitest'
import { SCREEN_CELLS, type Bitmap, type TextScreen } from './artwork'
import { bitmapPixels, eachBitmapLine, eachScreenLine, screenPixels } from './artworkPixels'
import { LinePicture } from './linePicture'

const colours = Uint32Array.from({ length: 16 }, (_, colour) => 0x100 + colour)
const noise = (length: number, factor: number) =>
  Uint8Array.from({ length }, (_, at) => (at * factor + (at >> 3)) & 0xff)
const screen: TextScreen = {
  kind: 'screen',
  name: '',
  columns: 40,
  rows: 25,
  border: 0,
  backgrounds: [6, 2, 3, 4],
  mode: 'multicolourText',
  codes: noise(SCREEN_CELLS, 7),
  colours: noise(SCREEN_CELLS, 5).map((value) => value & 0x0f),
  characters: noise(2048, 37),
}
const fli: Bitmap = {
  kind: 'bitmap',
  name: '',
  mode: 'multicolourBitmap',
  background: 6,
  border: 0,
  bitmap: noise(8 * SCREEN_CELLS, 37),
  screen: noise(8 * SCREEN_CELLS, 11),
  colours: noise(SCREEN_CELLS, 3).map((value) => value & 0x0f),
}
const rom = new Uint8Array(4096)
const numbersOf = ({ words }: LinePicture) => [...words].map((word) => word - 0x100)

describe('a picture that is drawn again and again', () => {
  it.each(['text', 'multicolourText', 'extendedText'] as const)('has the pixels of a screen in %s', (mode) => {
    const picture = new LinePicture(40, 25, colours)
    eachScreenLine({ ...screen, mode }, rom, picture.take)
    expect(numbersOf(picture)).toEqual([...screenPixels({ ...screen, mode }, rom).pixels])
  })

  it('has the pixels of a bitmap whose lines have colours of their own', () => {
    const picture = new LinePicture(40, 25, colours)
    eachBitmapLine(fli, picture.take)
    expect(numbersOf(picture)).toEqual([...bitmapPixels(fli).pixels])
  })

  it('draws only the lines that changed', () => {
    const picture = new LinePicture(40, 25, colours)
    eachScreenLine(screen, rom, picture.take)
    expect(picture.takeChanged()).toEqual({ top: 0, bottom: 200 })
    eachScreenLine(screen, rom, picture.take)
    expect(picture.takeChanged()).toBeNull()
    const codes = screen.codes.with(85, 0)
    eachScreenLine({ ...screen, codes }, rom, picture.take)
    const { top = 0, bottom = 0 } = picture.takeChanged() ?? {}
    expect([top >= 16, bottom <= 24, top < bottom]).toEqual([true, true, true])
  })

  it('draws everything again in other colours', () => {
    const picture = new LinePicture(40, 25, colours)
    eachScreenLine(screen, rom, picture.take)
    picture.recolour(colours.map((word) => word + 0x100))
    eachScreenLine(screen, rom, picture.take)
    expect(picture.words.every((word) => word >= 0x200)).toBe(true)
  })
})
