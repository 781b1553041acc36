/**
 * The VIC-II's picture by raster line: all text and bitmap modes, scrolling, borders, sprites, collisions. Within a
 * line the registers count as they stand when it is drawn; across lines the counters run as in the chip, so that raster
 * splits, changed YSCROLL and late bad lines look right. Rules and names follow Christian Bauer's "The MOS 6567/6569
 * video controller (VIC-II) and its application in the Commodore 64", sections 3.5 to 3.9.
 */
import type { VideoStandard } from '../contract/machine'
import type { Picture } from '../contract/memory'
import { DISPLAY_X, PICTURE_WIDTH, firstRasterLine, packPixels, pictureHeight } from './picture'

/** The VIC-II has 14 address lines; its bank comes from CIA 2. */
export interface VideoMemory {
  /** 64 KiB. */
  readonly ram: Uint8Array
  /** 4 KiB, seen at $1000 in bank 0 and at $9000 in bank 2. */
  readonly characterRom: Uint8Array
  /** 1 KiB; only the low nibbles count. */
  readonly colorRam: Uint8Array
  /** 0 to 3: bank 0 starts at $0000, bank 3 at $C000. */
  readonly bank: number
}

/** Lines of a frame, and pixels of a line before the sprites' X coordinate restarts at 0. */
export const rasterOf = { pal: { lines: 312, pixels: 504 }, ntsc: { lines: 263, pixels: 512 } } as const

export const cyclesPerLine = { pal: 63, ntsc: 65 } as const

/** Cycles of a line, from 0, in which the chip looks at its registers: what was written in an earlier cycle counts. */
export const lineCycles = {
  matrix: 11,
  draw: 31,
  sprites: { pal: 54, ntsc: 55 },
} as const

const FIRST_DMA_LINE = 0x30
const LAST_DMA_LINE = 0xf7
const COLUMNS = 40
/** Sprite coordinate 24 is the first pixel of the display window. */
const SPRITE_TO_PICTURE = DISPLAY_X - 24
/** Set beside the colour of a foreground pixel, which hides low-priority sprites and collides. */
const FOREGROUND = 0x80

export interface VideoCounters {
  /** Set while the DEN bit has been seen in line $30, so that bad lines happen. */
  badLines: boolean
  display: boolean
  verticalBorder: boolean
  vcBase: number
  rc: number
  matrix: Uint8Array
  colors: Uint8Array
  /**
   * The screen code at the right end of the line drawn last: its background fills what XSCROLL leaves free on the left.
   */
  lastCode: number
  /** One bit for each sprite. */
  spriteDma: number
  /** One bit a sprite: it has data to show in the present line. */
  spritesShown: number
  /** One bit for each sprite: the Y expansion flip-flop. */
  spriteFlips: number
  /** Offset of each sprite's present row, 0 to 63. */
  spriteRows: Uint8Array
  /** Three bytes for each sprite, shown in the present line. */
  spriteData: Uint8Array
}

const powerOnCounters = (): VideoCounters => ({
  badLines: false,
  display: false,
  verticalBorder: true,
  vcBase: 0,
  rc: 0,
  matrix: new Uint8Array(COLUMNS),
  colors: new Uint8Array(COLUMNS),
  lastCode: 0,
  spriteDma: 0,
  spritesShown: 0,
  spriteFlips: 0,
  spriteRows: new Uint8Array(8),
  spriteData: new Uint8Array(24),
})

const byte = (bytes: Uint8Array, index: number): number => bytes[index] ?? 0

export class VideoLogic {
  counters = powerOnCounters()
  /** One bit for each sprite, gathered since the caller last cleared them ($D01E and $D01F). */
  spriteCollisions = 0
  backgroundCollisions = 0
  /** For each sprite, one bit for each sprite that it collided with, itself included; gathered as the others are. */
  readonly collidedWith = new Uint8Array(8)

  readonly #linePixels: number
  readonly #spriteMask: Uint8Array
  readonly #spriteOwner: Uint8Array
  readonly #spriteColor: Uint8Array

  constructor(standard: VideoStandard) {
    this.#linePixels = rasterOf[standard].pixels
    this.#spriteMask = new Uint8Array(this.#linePixels)
    this.#spriteOwner = new Uint8Array(this.#linePixels)
    this.#spriteColor = new Uint8Array(this.#linePixels)
  }

  /**
   * Runs the left of a line, up to the fetch of the video matrix (cycles 1 to 16).
   * @returns whether it is a bad line, in which the VIC-II takes the bus for 40 cycles
   */
  beginLine(raster: number, registers: Uint8Array, memory: VideoMemory): boolean {
    const state = this.counters
    const control = byte(registers, 0x11)
    if (raster === 0) {
      state.vcBase = 0
      state.badLines = false
    }
    if (raster === FIRST_DMA_LINE) state.badLines = (control & 0x10) !== 0

    for (let sprite = 0, bit = 1; state.spriteDma >= bit; sprite++, bit <<= 1) {
      if ((state.spriteDma & state.spriteFlips & bit) === 0) continue
      const row = byte(state.spriteRows, sprite) + 3
      state.spriteRows[sprite] = row
      if (row === 63) state.spriteDma &= ~bit
    }

    const badLine =
      state.badLines && raster >= FIRST_DMA_LINE && raster <= LAST_DMA_LINE && (raster & 7) === (control & 7)
    if (badLine) {
      state.display = true
      state.rc = 0
      const matrix = (byte(registers, 0x18) & 0xf0) << 6
      for (let column = 0; column < COLUMNS; column++) {
        const vc = (state.vcBase + column) & 0x3ff
        state.matrix[column] = read(memory, matrix | vc)
        state.colors[column] = byte(memory.colorRam, vc) & 0x0f
      }
    }
    return badLine
  }

  /** Draws {@link PICTURE_WIDTH} pixels into `line`, the colour in the low nibble, and gathers the collisions. */
  drawLine(raster: number, registers: Uint8Array, memory: VideoMemory, line: Uint8Array): void {
    const state = this.counters
    const control = byte(registers, 0x11)
    const rows25 = (control & 0x08) !== 0
    if (raster === (rows25 ? 251 : 247)) state.verticalBorder = true
    else if (raster === (rows25 ? 51 : 55) && (control & 0x10) !== 0) state.verticalBorder = false

    const border = byte(registers, 0x20) & 0x0f
    if (state.verticalBorder) {
      line.fill(border)
      if (state.spritesShown !== 0) {
        this.#drawSprites(registers, line)
        line.fill(border)
      }
      return
    }
    this.#drawGraphics(registers, memory, line)
    if (state.spritesShown !== 0) this.#drawSprites(registers, line)
    const columns40 = (byte(registers, 0x16) & 0x08) !== 0
    line.fill(border, 0, columns40 ? DISPLAY_X : DISPLAY_X + 7)
    line.fill(border, columns40 ? DISPLAY_X + 320 : DISPLAY_X + 311)
  }

  /**
   * Runs the right of a line: advances the row counter and fetches the sprites of the next line.
   * @returns the sprites fetched, one bit each; each takes two cycles of the bus
   */
  endLine(raster: number, registers: Uint8Array, memory: VideoMemory, badLine: boolean): number {
    const state = this.counters
    const vc = state.display ? (state.vcBase + COLUMNS) & 0x3ff : state.vcBase
    if (state.rc === 7) {
      state.vcBase = vc
      if (!badLine) state.display = false
    }
    if (state.display) state.rc = (state.rc + 1) & 7

    const expanded = byte(registers, 0x17)
    const enabled = byte(registers, 0x15)
    state.spriteFlips = (state.spriteFlips ^ expanded) | (~expanded & 0xff)
    for (let sprite = 0, bit = 1; sprite < 8; sprite++, bit <<= 1) {
      if (
        (enabled & bit) !== 0 &&
        (state.spriteDma & bit) === 0 &&
        byte(registers, 2 * sprite + 1) === (raster & 0xff)
      ) {
        state.spriteDma |= bit
        state.spriteRows[sprite] = 0
        if ((expanded & bit) !== 0) state.spriteFlips &= ~bit
      }
      if ((state.spriteDma & bit) === 0) continue
      const pointer = read(memory, ((byte(registers, 0x18) & 0xf0) << 6) | 0x3f8 | sprite)
      const address = (pointer << 6) | byte(state.spriteRows, sprite)
      for (let index = 0; index < 3; index++) state.spriteData[3 * sprite + index] = read(memory, address + index)
    }
    state.spritesShown = state.spriteDma
    return state.spriteDma
  }

  #drawGraphics(registers: Uint8Array, memory: VideoMemory, line: Uint8Array): void {
    const { display, matrix, colors, vcBase, rc } = this.counters
    const scroll = byte(registers, 0x16) & 7
    const extended = (byte(registers, 0x11) & 0x40) !== 0
    const bitmap = (byte(registers, 0x11) & 0x20) !== 0
    const multicolor = (byte(registers, 0x16) & 0x10) !== 0
    const invalid = extended && (bitmap || multicolor)
    const pointers = byte(registers, 0x18)
    const background = invalid ? 0 : byte(registers, 0x21) & 0x0f
    const background1 = byte(registers, 0x22) & 0x0f
    const background2 = byte(registers, 0x23) & 0x0f
    /** ECM holds address bits 9 and 10 low. */
    const addressMask = extended ? 0x39ff : 0x3fff

    const groundOf = (code: number): number => {
      if (bitmap) return code & 0x0f
      return extended ? byte(registers, 0x21 + (code >> 6)) & 0x0f : background
    }

    line.fill(invalid || multicolor ? background : groundOf(this.counters.lastCode), DISPLAY_X, DISPLAY_X + scroll)
    this.counters.lastCode = display ? byte(matrix, COLUMNS - 1) : 0
    for (let column = 0, x = DISPLAY_X + scroll; column < COLUMNS; column++, x += 8) {
      const code = display ? byte(matrix, column) : 0
      const color = display ? byte(colors, column) : 0
      let address = 0x3fff
      if (display && bitmap) address = ((pointers & 0x08) << 10) | (((vcBase + column) & 0x3ff) << 3) | rc
      else if (display) address = ((pointers & 0x0e) << 10) | (code << 3) | rc
      const bits = read(memory, address & addressMask)

      if (multicolor && (bitmap || (color & 0x08) !== 0)) {
        if (invalid) paintPairs(line, x, bits, 0, 0, 0, 0)
        else if (bitmap) paintPairs(line, x, bits, background, code >> 4, code & 0x0f, color)
        else paintPairs(line, x, bits, background, background1, background2, color & 0x07)
      } else if (invalid) {
        paintBits(line, x, bits, 0, 0)
      } else if (bitmap) {
        paintBits(line, x, bits, groundOf(code), code >> 4)
      } else {
        paintBits(line, x, bits, groundOf(code), multicolor ? color & 0x07 : color)
      }
    }
  }

  /** Sprite 0 is in front; the sprite in front decides whether the foreground hides it. */
  #drawSprites(registers: Uint8Array, line: Uint8Array): void {
    const width = this.#linePixels
    const masks = this.#spriteMask
    const owners = this.#spriteOwner
    const colors = this.#spriteColor
    const { spritesShown, spriteData } = this.counters
    const multicolors = byte(registers, 0x1c)
    const expanded = byte(registers, 0x1d)
    for (let sprite = 7; sprite >= 0; sprite--) {
      const bit = 1 << sprite
      const x = byte(registers, 2 * sprite) | ((byte(registers, 0x10) & bit) === 0 ? 0 : 0x100)
      if ((spritesShown & bit) === 0 || x >= width) continue
      const data =
        (byte(spriteData, 3 * sprite) << 16) |
        (byte(spriteData, 3 * sprite + 1) << 8) |
        byte(spriteData, 3 * sprite + 2)
      if (data === 0) continue
      const multicolor = (multicolors & bit) !== 0
      const dots = (multicolor ? 2 : 1) * ((expanded & bit) === 0 ? 1 : 2)
      const own = byte(registers, 0x27 + sprite)
      for (let shift = multicolor ? 22 : 23, at = x; shift >= 0; shift -= multicolor ? 2 : 1) {
        const value = multicolor ? (data >> shift) & 3 : ((data >> shift) & 1) << 1
        const color = value === 2 ? own : byte(registers, value === 1 ? 0x25 : 0x26)
        for (let dot = 0; dot < dots; dot++) {
          if (value !== 0) {
            masks[at] = byte(masks, at) | bit
            owners[at] = bit
            colors[at] = color & 0x0f
          }
          if (++at === width) at = 0
        }
      }
    }

    const behind = byte(registers, 0x1b)
    for (let at = 0; at < width; at++) {
      const mask = byte(masks, at)
      if (mask === 0) continue
      masks[at] = 0
      if ((mask & (mask - 1)) !== 0) this.#collide(mask)
      const x = at + SPRITE_TO_PICTURE < width ? at + SPRITE_TO_PICTURE : at + SPRITE_TO_PICTURE - width
      if (x >= PICTURE_WIDTH) continue
      const foreground = (byte(line, x) & FOREGROUND) !== 0
      if (foreground) this.backgroundCollisions |= mask
      if (!foreground || (behind & byte(owners, at)) === 0) line[x] = byte(colors, at)
    }
  }

  #collide(mask: number): void {
    this.spriteCollisions |= mask
    for (let sprite = 0; sprite < 8; sprite++)
      if ((mask & (1 << sprite)) !== 0) this.collidedWith[sprite] = byte(this.collidedWith, sprite) | mask
  }
}

function read(memory: VideoMemory, address: number): number {
  if ((address & 0x3000) === 0x1000 && (memory.bank & 1) === 0) return memory.characterRom[address & 0x0fff] ?? 0
  return memory.ram[(memory.bank << 14) | address] ?? 0
}

function paintBits(line: Uint8Array, x: number, bits: number, clear: number, set: number): void {
  const front = set | FOREGROUND
  line[x] = (bits & 0x80) === 0 ? clear : front
  line[x + 1] = (bits & 0x40) === 0 ? clear : front
  line[x + 2] = (bits & 0x20) === 0 ? clear : front
  line[x + 3] = (bits & 0x10) === 0 ? clear : front
  line[x + 4] = (bits & 0x08) === 0 ? clear : front
  line[x + 5] = (bits & 0x04) === 0 ? clear : front
  line[x + 6] = (bits & 0x02) === 0 ? clear : front
  line[x + 7] = (bits & 0x01) === 0 ? clear : front
}

/** Bit pairs 2 and 3 are foreground, 0 and 1 are not. */
function paintPairs(
  line: Uint8Array,
  x: number,
  bits: number,
  color0: number,
  color1: number,
  color2: number,
  color3: number,
): void {
  for (let shift = 6; shift >= 0; shift -= 2) {
    const pair = (bits >> shift) & 3
    const pixel = pair === 0 ? color0 : pair === 1 ? color1 : pair === 2 ? color2 | FOREGROUND : color3 | FOREGROUND
    line[x++] = pixel
    line[x++] = pixel
  }
}

export interface Scene extends VideoMemory {
  /** The registers from $D000 on, at least $2F of them, as written or as read. */
  readonly registers: Uint8Array
  readonly standard: VideoStandard
}

export interface RenderedScene {
  readonly picture: Picture
  /** One bit a sprite, as $D01E and $D01F would read after this frame. */
  readonly spriteCollisions: number
  readonly backgroundCollisions: number
  readonly collidedWith: Uint8Array
}

export function renderPicture(scene: Scene): RenderedScene {
  const { registers, standard } = scene
  const height = pictureHeight(standard)
  const video = new VideoLogic(standard)
  const pixels = new Uint8Array(PICTURE_WIDTH * height)
  const beyond = new Uint8Array(PICTURE_WIDTH)
  const lineAt = (y: number) => (y < height ? pixels.subarray(y * PICTURE_WIDTH, (y + 1) * PICTURE_WIDTH) : beyond)
  if (startsFromLastFrame(registers) || hasSpriteOfLastFrame(scene)) renderFrame(video, scene, lineAt)
  video.spriteCollisions = video.backgroundCollisions = 0
  video.collidedWith.fill(0)
  renderFrame(video, scene, lineAt)
  const { spriteCollisions, backgroundCollisions, collidedWith } = video
  return {
    picture: { width: PICTURE_WIDTH, height, pixels: packPixels(pixels) },
    spriteCollisions,
    backgroundCollisions,
    collidedWith,
  }
}

/** Whether the first line of the window shows what the last one of the frame before left: a background by its code, in view. */
function startsFromLastFrame(registers: Uint8Array): boolean {
  const [extended, bitmap] = [byte(registers, 0x11) & 0x40, byte(registers, 0x11) & 0x20]
  const control2 = byte(registers, 0x16)
  return (control2 & 7) !== 0 && (control2 & 0x10) === 0 && (extended === 0) !== (bitmap === 0)
}

const SPRITE_LINES = 42

function hasSpriteOfLastFrame({ registers, standard }: Scene): boolean {
  const { lines } = rasterOf[standard]
  const start = firstRasterLine(standard) + pictureHeight(standard)
  const lastLines = Array.from({ length: SPRITE_LINES }, (_, count) => ((start - 1 - count + lines) % lines) & 0xff)
  return Array.from({ length: 8 }, (_, sprite) => sprite).some(
    (sprite) => ((byte(registers, 0x15) >> sprite) & 1) === 1 && lastLines.includes(byte(registers, 2 * sprite + 1)),
  )
}

function renderFrame(video: VideoLogic, scene: Scene, lineAt: (y: number) => Uint8Array): void {
  const { registers, standard } = scene
  const { lines } = rasterOf[standard]
  const first = firstRasterLine(standard)
  const height = pictureHeight(standard)
  for (let count = 0; count < lines; count++) {
    // From the line after the picture's last one: in NTSC, line 0 is still within the picture.
    const raster = (first + height + count) % lines
    const badLine = video.beginLine(raster, registers, scene)
    video.drawLine(raster, registers, scene, lineAt((raster - first + lines) % lines))
    video.endLine(raster, registers, scene, badLine)
  }
}
