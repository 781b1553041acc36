/**
 * The pixels of the VIC-II, eight in each cycle. They come a cycle after their data was read, and a written colour
 * register counts from the second of them on.
 */
import { z } from 'zod'
import { FIRST_PICTURE_CYCLE } from '@shared/c64/picture'
import { byte } from './numbers'
import { GRAPHICS_COLORS, placeOf } from './vicColors'
import { powerOnSpritePixels, SpritePixels, spritePixelsSchema, type DrawnSprites } from './vicSprites'
import { MATRIX, type LineTiming } from './vicTiming'

const PIXELS = 8
const PALETTE = 0x2f

const bytes = (length: number) => z.array(byte).length(length)
const bit = z.int().min(0).max(1)

export const pixelsSchema = z.strictObject({
  graphics: z.tuple([byte, byte, byte]),
  codes: z.tuple([byte, byte, byte]),
  colors: z.tuple([byte, byte, byte]),
  pairFlip: bit,
  pixel: z.int().min(0).max(3),
  scroll: z.int().min(0).max(7),
  /** ECM and BMM as 16 and 8, MCM as 4, as they count for colours; MCM as it counts for pairs of pixels. */
  mode: z.int().min(0).max(24),
  multicolor: z.int().min(0).max(4),
  pairs: z.int().min(0).max(4),
  column: z.int().min(0).max(40),
  border: z.boolean(),
  sprites: spritePixelsSchema,
  palette: bytes(PALETTE),
})
export type PixelsState = z.infer<typeof pixelsSchema>

export const powerOnPixels = (): PixelsState => ({
  graphics: [0, 0, 0],
  codes: [0, 0, 0],
  colors: [0, 0, 0],
  pairFlip: 0,
  pixel: 0,
  scroll: 0,
  mode: 0,
  multicolor: 0,
  pairs: 0,
  column: 0,
  border: false,
  sprites: powerOnSpritePixels(),
  palette: Array.from({ length: PALETTE }, (_, color) => (color < 16 ? color : 0)),
})

export interface Drawn extends DrawnSprites {
  readonly idle: boolean
  readonly verticalBorder: boolean
  readonly mainBorder: boolean
  readonly graphics: number
  readonly matrix: Uint8Array
  readonly colors: Uint8Array
  /** -1 for none. */
  writtenColor: number
  writtenValue: number
}

export interface WholeLine {
  readonly idle: boolean
  readonly hadBorder: boolean
  readonly graphics: Uint8Array
  /** Colour registers written: cycle, register and value, three bytes each. */
  readonly notes: Uint8Array
  readonly timing: LineTiming
}

export const PICTURE_START = FIRST_PICTURE_CYCLE
export const PICTURE_END = PICTURE_START + 48
const LINE_PIXELS = (PICTURE_END - PICTURE_START) * PIXELS
const FIRST_SHOWN = 17
const COLUMNS = 40
const CSEL = 0x08
const LEFT_40 = 32
const LEFT_38 = 39
const RIGHT_40 = 352
const RIGHT_38 = 343

const BORDER_COLOR = 0x20
const places = Uint8Array.from({ length: PALETTE }, (_, place) => place)
/** Grey dots of the 8565: a colour register shows this for a pixel as it is written. */
const GREY_DOT = 0x0f

export class VicPixels {
  readonly sprites: SpritePixels
  line: Uint8Array = new Uint8Array(0)
  /** The 6569 and 6567 take modes and colours a little later than the 8565 and 8562. */
  readonly #isNmos: boolean

  #shifted = 0
  #code = 0
  #color = 0
  #graphics1 = 0
  #code1 = 0
  #color1 = 0
  #graphics0 = 0
  #code0 = 0
  #color0 = 0
  #pairFlip = 0
  #pixel = 0
  #scroll = 0
  #mode = 0
  #multicolor = 0
  #pairs = 0
  #column = 0
  #border = false

  readonly #palette = Uint8Array.from({ length: PALETTE }, (_, color) => (color < 16 ? color : 0))
  readonly #aside = new Uint8Array(PIXELS)
  #out: Uint8Array = this.#aside
  #start = 0
  #colorOf: Uint8Array = this.#palette
  #foreground = 0
  readonly #cellColors = new Uint8Array(4)
  readonly #lineAside = new Uint8Array(LINE_PIXELS)
  readonly #foregroundBytes = new Uint8Array(65)

  constructor(isNmos: boolean) {
    this.#isNmos = isNmos
    this.sprites = new SpritePixels(isNmos)
  }

  /**
   * Draws the pixels of the cycle before.
   * @param actions of the cycle before
   * @param x the sprites' coordinate there
   * @param at position in the line; below 0 outside the picture
   */
  draw(chip: Drawn, actions: number, x: number, at: number): void {
    const isDecided = chip.writtenColor < 0
    if (isDecided && chip.mainBorder && this.#border && this.#isBlank(chip, actions)) {
      this.sprites.rest(chip, actions)
      if (at >= 0) this.#fillBorder(at)
      return
    }
    const isShown = isDecided && at >= 0
    this.#out = isShown ? this.line : this.#aside
    this.#start = isShown ? at : 0
    this.#colorOf = isDecided ? this.#palette : places
    this.#drawGraphics(chip, actions)
    this.sprites.draw(chip, actions, x, this.#foreground, this.#out, this.#start, this.#colorOf)
    this.#drawBorder(chip)
    if (!isDecided) this.#writeColor(chip, at)
  }

  #isBlank({ verticalBorder, registers }: Drawn, actions: number): boolean {
    return (
      (this.#shifted | this.#graphics1 | this.#graphics0 | this.#pixel) === 0 &&
      (verticalBorder || (actions & MATRIX) === 0) &&
      this.#code === this.#code1 &&
      this.#code === this.#code0 &&
      this.#color === this.#color1 &&
      this.#color === this.#color0 &&
      this.#column === 0 &&
      this.#pairFlip === (1 ^ (this.#scroll & 1)) &&
      ((registers[0x16] ?? 0) & 0x10) >> 2 === this.#multicolor &&
      this.#multicolor === this.#pairs &&
      ((registers[0x11] ?? 0) & 0x60) >> 2 === this.#mode &&
      this.sprites.isResting(actions)
    )
  }

  isBetweenLines(chip: Drawn): boolean {
    const { registers } = chip
    return (
      (this.#shifted | this.#graphics1 | this.#graphics0 | this.#pixel | this.#column) === 0 &&
      this.#code === this.#code1 &&
      this.#code === this.#code0 &&
      this.#color === this.#color1 &&
      this.#color === this.#color0 &&
      this.#pairFlip === (1 ^ (this.#scroll & 1)) &&
      ((registers[0x16] ?? 0) & 0x10) >> 2 === this.#multicolor &&
      this.#multicolor === this.#pairs &&
      ((registers[0x11] ?? 0) & 0x60) >> 2 === this.#mode &&
      this.#border === chip.mainBorder &&
      chip.writtenColor < 0 &&
      this.sprites.isUpToDate(chip)
    )
  }

  drawLine(chip: Drawn, whole: WholeLine): void {
    const { notes, hadBorder } = whole
    const { sprites } = this
    const hasColorsWritten = notes.length > 0
    const out = hasColorsWritten ? this.#lineAside : this.line
    const colorOf = hasColorsWritten ? places : this.#palette
    const has40 = ((chip.registers[0x16] ?? 0) & CSEL) !== 0
    const isClosed = hadBorder && chip.verticalBorder
    const borderColor = colorOf[BORDER_COLOR] ?? 0
    const isSpriteSeen = !sprites.isAway || chip.spritesShown !== 0

    if (isClosed && !isSpriteSeen) out.fill(borderColor, 0, LINE_PIXELS)
    else this.#drawGraphicsLine(chip, whole, out, colorOf)
    this.#drawSpritesLine(chip, whole, out, colorOf)
    if (isClosed) {
      if (isSpriteSeen) out.fill(borderColor, 0, LINE_PIXELS)
    } else {
      if (hadBorder) out.fill(borderColor, 0, has40 ? LEFT_40 : LEFT_38)
      out.fill(borderColor, has40 ? RIGHT_40 : RIGHT_38, LINE_PIXELS)
    }
    this.#border = true
    if (hasColorsWritten) this.#colorLine(notes)
  }

  #drawGraphicsLine(chip: Drawn, { idle, graphics }: WholeLine, out: Uint8Array, colorOf: Uint8Array): void {
    const mode = this.#mode | this.#multicolor
    const clear = colorOf[placeOf(GRAPHICS_COLORS[mode] ?? 0, this.#code, this.#color)] ?? 0
    const foreground = this.#foregroundBytes
    if (chip.verticalBorder) {
      out.fill(clear, 0, LINE_PIXELS)
      foreground.fill(0)
      return
    }
    const scroll = (chip.registers[0x16] ?? 0) & 7
    const { matrix, colors } = chip
    const paired = this.#pairs !== 0
    const bitmap = (this.#mode & 8) !== 0
    const cellColors = this.#cellColors
    let at = LEFT_40 + scroll
    out.fill(clear, 0, at)
    let foregroundBefore = 0
    let code = 0
    let color = 0
    for (let column = 0; column < COLUMNS; column++) {
      if (!idle) {
        code = matrix[column] ?? 0
        color = colors[column] ?? 0
      }
      const byte = graphics[column] ?? 0
      const isPaired = bitmap || (color & 8) !== 0
      let isForeground = byte
      const clearColor = colorOf[placeOf(GRAPHICS_COLORS[mode] ?? 0, code, color)] ?? 0
      if (paired && isPaired) {
        for (let value = 0; value < 4; value++) {
          cellColors[value] = colorOf[placeOf(GRAPHICS_COLORS[mode | value] ?? 0, code, color)] ?? 0
        }
        for (let shift = 6; shift >= 0; shift -= 2) {
          const pixel = cellColors[(byte >> shift) & 3] ?? 0
          out[at] = pixel
          out[at + 1] = pixel
          at += 2
        }
        isForeground = (byte & 0xaa) | ((byte & 0xaa) >> 1)
      } else if (byte === 0) {
        for (const end = at + PIXELS; at < end; at++) out[at] = clearColor
      } else {
        const set = !paired && isPaired ? 2 : 3
        const setColor = colorOf[placeOf(GRAPHICS_COLORS[mode | set] ?? 0, code, color)] ?? 0
        for (let bit = 0x80; bit !== 0; bit >>= 1) out[at++] = (byte & bit) === 0 ? clearColor : setColor
      }
      foreground[FIRST_SHOWN + column] = ((foregroundBefore << 8) | isForeground) >> scroll
      foregroundBefore = isForeground
    }
    foreground[FIRST_SHOWN + COLUMNS] = (foregroundBefore << 8) >> scroll
    if (at < LINE_PIXELS) out.fill(colorOf[placeOf(GRAPHICS_COLORS[mode] ?? 0, code, color)] ?? 0, at, LINE_PIXELS)
    this.#code = this.#code1 = this.#code0 = code
    this.#color = this.#color1 = this.#color0 = color
    this.#scroll = scroll
    this.#pairFlip = 1 ^ (scroll & 1)
  }

  #drawSpritesLine(chip: Drawn, { timing }: WholeLine, out: Uint8Array, colorOf: Uint8Array): void {
    const { sprites } = this
    const { actions, xs, cycles } = timing
    for (let cycle = 2; cycle < cycles; cycle++) {
      const before = actions[cycle - 1] ?? 0
      const x = xs[cycle - 1] ?? 0
      if (!sprites.isConcerned(before, x)) continue
      const at = (cycle - PICTURE_START) * PIXELS
      const isShown = at >= 0 && at < LINE_PIXELS
      const foreground = this.#foregroundBytes[cycle] ?? 0
      sprites.draw(chip, before, x, foreground, isShown ? out : this.#aside, isShown ? at : 0, colorOf)
    }
  }

  #colorLine(notes: Uint8Array): void {
    const palette = this.#palette
    const { line } = this
    const from = this.#lineAside
    let done = 0
    for (let note = 0; note < notes.length; note += 3) {
      const register = notes[note + 1] ?? 0
      const at = ((notes[note] ?? 0) + 1 - PICTURE_START) * PIXELS
      for (const end = Math.min(at, LINE_PIXELS); done < end; done++) line[done] = palette[from[done] ?? 0] ?? 0
      if (done === at && at < LINE_PIXELS) {
        const first = from[at] ?? 0
        line[at] = !this.#isNmos && first === register ? GREY_DOT : (palette[first] ?? 0)
        done++
      }
      palette[register] = notes[note + 2] ?? 0
    }
    for (; done < LINE_PIXELS; done++) line[done] = palette[from[done] ?? 0] ?? 0
  }

  #fillBorder(at: number): void {
    const { line } = this
    const color = this.#palette[BORDER_COLOR] ?? 0
    for (let pixel = 0; pixel < PIXELS; pixel++) line[at + pixel] = color
  }

  #drawGraphics(chip: Drawn, actions: number): void {
    const { registers } = chip
    const mode = ((registers[0x11] ?? 0) & 0x60) >> 2
    const multicolor = ((registers[0x16] ?? 0) & 0x10) >> 2
    const scroll = this.#scroll
    this.#foreground = 0
    if (multicolor === this.#multicolor && multicolor === this.#pairs && mode === this.#mode) {
      if (chip.mainBorder && this.#border && (this.#shifted | this.#graphics1 | this.#pixel) === 0) {
        this.#code = this.#code1
        this.#color = this.#color1
        this.#pairFlip = 1 ^ (scroll & 1)
      } else {
        if (scroll > 0) this.#shift(0, scroll)
        this.#load()
        this.#shift(scroll, PIXELS)
      }
    } else {
      for (let pixel = 0; pixel < PIXELS; pixel++) {
        if (pixel === 4) {
          this.#multicolor = multicolor
          if (this.#isNmos) this.#mode |= mode
        } else if (pixel === 6) {
          if (this.#isNmos) this.#mode &= mode
        } else if (pixel === 7) {
          if (multicolor !== 0 && this.#pairs === 0) this.#pairFlip = 0
          this.#pairs = multicolor
        }
        if (pixel === scroll) this.#load()
        this.#shift(pixel, pixel + 1)
      }
      this.#mode = mode
    }

    this.#graphics1 = this.#graphics0
    this.#code1 = this.#code0
    this.#color1 = this.#color0
    if ((actions & MATRIX) === 0 || chip.verticalBorder) {
      this.#graphics0 = 0
      this.#column = 0
      return
    }
    this.#graphics0 = chip.graphics
    this.#scroll = (registers[0x16] ?? 0) & 7
    if (chip.idle) {
      this.#code0 = 0
      this.#color0 = 0
    } else {
      this.#code0 = chip.matrix[this.#column] ?? 0
      this.#color0 = chip.colors[this.#column] ?? 0
      this.#column++
    }
  }

  #load(): void {
    this.#code = this.#code1
    this.#color = this.#color1
    this.#shifted = this.#graphics1
    this.#pairFlip = 1
  }

  #shift(from: number, to: number): void {
    const out = this.#out
    const start = this.#start
    const colorOf = this.#colorOf
    const mode = this.#mode | this.#multicolor
    const isPaired = (this.#mode & 8) !== 0 || (this.#color & 8) !== 0
    let shifted = this.#shifted
    let foreground = this.#foreground
    const code = this.#code
    const color = this.#color
    if (this.#pairs !== 0 && isPaired) {
      const colors = this.#cellColors
      for (let value = 0; value < 4; value++) {
        colors[value] = colorOf[placeOf(GRAPHICS_COLORS[mode | value] ?? 0, code, color)] ?? 0
      }
      let pixel = this.#pixel
      let flip = this.#pairFlip
      for (let at = from; at < to; at++) {
        if (flip !== 0) pixel = shifted >> 6
        flip ^= 1
        out[start + at] = colors[pixel] ?? 0
        foreground |= ((pixel & 2) << 6) >> at
        shifted = (shifted << 1) & 0xff
      }
      this.#pixel = pixel
      this.#pairFlip = flip
    } else {
      // A colour that asks for pairs gives a single pixel the third colour until MCM counts for the pixels.
      const set = this.#pairs === 0 && isPaired ? 2 : 3
      const clearColor = colorOf[placeOf(GRAPHICS_COLORS[mode] ?? 0, code, color)] ?? 0
      const setColor = colorOf[placeOf(GRAPHICS_COLORS[mode | set] ?? 0, code, color)] ?? 0
      let last = 0
      for (let at = from; at < to; at++) {
        last = shifted & 0x80
        out[start + at] = last === 0 ? clearColor : setColor
        foreground |= last >> at
        shifted = (shifted << 1) & 0xff
      }
      this.#pixel = last === 0 ? 0 : set
      this.#pairFlip ^= (to - from) & 1
    }
    this.#shifted = shifted
    this.#foreground = foreground
  }

  #drawBorder({ registers, mainBorder }: Drawn): void {
    const was = this.#border
    if (!was && !mainBorder) return
    this.#border = mainBorder
    const out = this.#out
    const start = this.#start
    const color = this.#colorOf[BORDER_COLOR] ?? 0
    if ((was && mainBorder) || (was && ((registers[0x16] ?? 0) & 8) !== 0)) {
      for (let at = 0; at < PIXELS; at++) out[start + at] = color
    } else if (was) {
      out.fill(color, start, start + 7)
    } else if (((registers[0x16] ?? 0) & 8) === 0) {
      out[start + 7] = color
    }
  }

  setColor(register: number, value: number): void {
    this.#palette[register] = value
  }

  /** A written colour register counts from the second pixel on; in the 8565 from the first, which shows a grey dot. */
  #writeColor(chip: Drawn, at: number): void {
    const palette = this.#palette
    const { writtenColor, writtenValue } = chip
    chip.writtenColor = -1
    const first = this.#aside[0] ?? 0
    const firstColor = !this.#isNmos && first === writtenColor ? GREY_DOT : (palette[first] ?? 0)
    palette[writtenColor] = writtenValue
    if (at < 0) return
    this.line[at] = firstColor
    for (let pixel = 1; pixel < PIXELS; pixel++) this.line[at + pixel] = palette[this.#aside[pixel] ?? 0] ?? 0
  }

  save(): PixelsState {
    return {
      graphics: [this.#shifted, this.#graphics1, this.#graphics0],
      codes: [this.#code, this.#code1, this.#code0],
      colors: [this.#color, this.#color1, this.#color0],
      pairFlip: this.#pairFlip,
      pixel: this.#pixel,
      scroll: this.#scroll,
      mode: this.#mode,
      multicolor: this.#multicolor,
      pairs: this.#pairs,
      column: this.#column,
      border: this.#border,
      sprites: this.sprites.save(),
      palette: [...this.#palette],
    }
  }

  restore(state: PixelsState): void {
    ;[this.#shifted, this.#graphics1, this.#graphics0] = state.graphics
    ;[this.#code, this.#code1, this.#code0] = state.codes
    ;[this.#color, this.#color1, this.#color0] = state.colors
    this.#pairFlip = state.pairFlip
    this.#pixel = state.pixel
    this.#scroll = state.scroll
    this.#mode = state.mode
    this.#multicolor = state.multicolor
    this.#pairs = state.pairs
    this.#column = state.column
    this.#border = state.border
    this.sprites.restore(state.sprites)
    this.#palette.set(state.palette)
  }
}
