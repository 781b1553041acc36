import { z } from 'zod'
import { byte } from './numbers'
import { FIRST_HALF, SHOW_SPRITES, SPRITE_BYTES, SPRITE_POINTER, SPRITE_SHIFT } from './vicTiming'

/** Byte fields have one bit for each sprite. */
export const spritePixelsSchema = z.strictObject({
  xs: z.array(z.int().min(0).max(511)).length(8),
  priorities: byte,
  paired: byte,
  wide: byte,
  pending: byte,
  active: byte,
  halted: byte,
  bits: z.array(z.int().min(-0x8000_0000).max(0x7fff_ffff)).length(8),
  pixels: z.array(z.int().min(0).max(3)).length(8),
  wideFlips: byte,
  pairFlips: byte,
})
export type SpritePixelsState = z.infer<typeof spritePixelsSchema>

export const powerOnSpritePixels = (): SpritePixelsState => ({
  xs: Array<number>(8).fill(0),
  priorities: 0,
  paired: 0,
  wide: 0,
  pending: 0,
  active: 0,
  halted: 0,
  wideFlips: 0,
  pairFlips: 0,
  bits: Array<number>(8).fill(0),
  pixels: Array<number>(8).fill(0),
})

export interface DrawnSprites {
  readonly registers: Uint8Array
  readonly spriteXs: Uint16Array
  spritesMoved: boolean
  readonly spriteData: Int32Array
  readonly spritesShown: number
}

const PIXELS = 8
const SPRITE_COLOR_1 = 0x25
const SPRITE_COLOR_3 = 0x26
const SPRITE_COLORS = 0x27

export class SpritePixels {
  spriteCollisions = 0
  backgroundCollisions = 0
  readonly #isNmos: boolean
  readonly #xs = new Uint16Array(8)
  readonly #startBlocks = new Uint8Array(64).fill(0xff, 0, 1)
  #priorities = 0
  #paired = 0
  #wide = 0
  #pending = 0
  #active = 0
  #halted = 0
  readonly #bits = new Int32Array(8)
  readonly #pixels = new Uint8Array(8)
  #wideFlips = 0
  #pairFlips = 0

  constructor(isNmos: boolean) {
    this.#isNmos = isNmos
  }

  /**
   * @param x the sprites' coordinate of the first pixel
   * @param foreground the leftmost pixel in bit 7
   */
  draw(
    chip: DrawnSprites,
    actions: number,
    x: number,
    foreground: number,
    out: Uint8Array,
    start: number,
    colorOf: Uint8Array,
  ): void {
    const isBegun = (actions & SHOW_SPRITES) !== 0 && (this.#pending | chip.spritesShown) !== 0
    const candidates = isBegun ? 0xff : this.#candidates(x)
    if ((this.#active | candidates) === 0) {
      this.rest(chip, actions)
    } else {
      const kind = actions & FIRST_HALF
      const sprite = (actions >> SPRITE_SHIFT) & 7
      const fetching = kind === SPRITE_POINTER ? 1 << sprite : 0
      const fetched = kind === SPRITE_BYTES ? 1 << sprite : 0
      for (let pixel = 0; pixel < PIXELS; pixel++) {
        if (pixel === 2) this.#active &= ~fetched
        else if (pixel === 3) this.#halted |= fetching
        else if (pixel === 4) {
          if ((actions & SHOW_SPRITES) !== 0) this.#pending = chip.spritesShown
          if (fetched !== 0) this.#bits[sprite] = chip.spriteData[sprite] ?? 0
        } else if (pixel === 6) {
          if (!this.#isNmos) this.#takePairs(chip)
          this.#takeRegisters(chip)
        } else if (pixel === 7) {
          if (this.#isNmos) this.#takePairs(chip)
          this.#halted &= ~fetched
        }
        const waiting = candidates & this.#pending & ~this.#active & ~this.#halted
        if (waiting !== 0) this.#begin(waiting, x + pixel)
        if (this.#active === 0) continue
        const place = this.#placeOfPixel((foreground & (0x80 >> pixel)) !== 0)
        if (place >= 0) out[start + pixel] = colorOf[place] ?? 0
      }
      this.#move(chip)
    }
  }

  isResting(actions: number): boolean {
    return (this.#active | this.#pending) === 0 && (actions & SHOW_SPRITES) === 0
  }

  get isAway(): boolean {
    return (this.#active | this.#pending) === 0
  }

  isUpToDate({ registers, spritesMoved }: DrawnSprites): boolean {
    return (
      !spritesMoved &&
      this.#priorities === registers[0x1b] &&
      this.#paired === registers[0x1c] &&
      this.#wide === registers[0x1d]
    )
  }

  isConcerned(actions: number, x: number): boolean {
    if (this.#active !== 0 || (actions & (FIRST_HALF | SHOW_SPRITES)) >= SPRITE_POINTER) return true
    return this.#pending !== 0 && (this.#startBlocks[x >> 3] ?? 0) !== 0
  }

  rest(chip: DrawnSprites, actions: number): void {
    const kind = actions & FIRST_HALF
    if (kind >= SPRITE_POINTER) {
      const sprite = (actions >> SPRITE_SHIFT) & 7
      if (kind === SPRITE_POINTER) {
        this.#halted |= 1 << sprite
      } else {
        this.#halted &= ~(1 << sprite)
        this.#bits[sprite] = chip.spriteData[sprite] ?? 0
      }
    }
    this.#takeRegisters(chip)
    this.#takePairs(chip)
    this.#move(chip)
  }

  #move(chip: DrawnSprites): void {
    if (!chip.spritesMoved) return
    this.#xs.set(chip.spriteXs)
    this.#noteStarts()
    chip.spritesMoved = false
  }

  #noteStarts(): void {
    this.#startBlocks.fill(0)
    for (let sprite = 0; sprite < 8; sprite++) {
      const block = (this.#xs[sprite] ?? 0) >> 3
      this.#startBlocks[block] = (this.#startBlocks[block] ?? 0) | (1 << sprite)
    }
  }

  #candidates(x: number): number {
    const waiting = this.#pending & ~this.#active
    return waiting === 0 ? 0 : waiting & (this.#startBlocks[x >> 3] ?? 0)
  }

  #takeRegisters({ registers }: DrawnSprites): void {
    this.#priorities = registers[0x1b] ?? 0
    this.#wide = registers[0x1d] ?? 0
  }

  #takePairs({ registers }: DrawnSprites): void {
    const paired = registers[0x1c] ?? 0
    const changed = paired ^ this.#paired
    if (changed === 0) return
    this.#paired = paired
    if (this.#isNmos) {
      this.#pairFlips &= ~changed
    } else {
      this.#pairFlips ^= changed & ~this.#wideFlips
    }
  }

  #begin(waiting: number, x: number): void {
    for (let sprite = 0; sprite < 8; sprite++) {
      const mask = 1 << sprite
      if ((waiting & mask) === 0 || this.#xs[sprite] !== x) continue
      this.#wideFlips |= mask
      this.#pairFlips |= mask
      this.#active |= mask
    }
  }

  /** A place in the palette; -1 where no sprite is seen. */
  #placeOfPixel(isForeground: boolean): number {
    let front = -1
    let seen = 0
    for (let sprite = 7; sprite >= 0; sprite--) {
      const mask = 1 << sprite
      if ((this.#active & mask) === 0) continue
      if (this.#bits[sprite] === 0 && this.#pixels[sprite] === 0) {
        this.#active &= ~mask
        continue
      }
      if ((this.#halted & mask) === 0) this.#shift(sprite, mask)
      if (this.#pixels[sprite] !== 0) {
        front = sprite
        seen |= mask
      }
    }
    if (front < 0) return -1
    if (isForeground) this.backgroundCollisions |= seen
    if ((seen & (seen - 1)) !== 0) this.spriteCollisions |= seen
    if (isForeground && (this.#priorities & (1 << front)) !== 0) return -1
    const pixel = this.#pixels[front]
    return pixel === 1 ? SPRITE_COLOR_1 : pixel === 3 ? SPRITE_COLOR_3 : SPRITE_COLORS + front
  }

  #shift(sprite: number, mask: number): void {
    const bits = this.#bits[sprite] ?? 0
    if ((this.#wideFlips & mask) !== 0) {
      if ((this.#paired & mask) !== 0) {
        if ((this.#pairFlips & mask) !== 0) this.#pixels[sprite] = (bits >> 22) & 3
        this.#pairFlips ^= mask
      } else {
        this.#pixels[sprite] = (bits >> 22) & 2
      }
      // Of 32 bits: a bit that has left the lower 24 keeps the sprite active for eight more pixels.
      this.#bits[sprite] = bits << 1
    }
    if ((this.#wide & mask) !== 0) this.#wideFlips ^= mask
    else this.#wideFlips |= mask
  }

  save(): SpritePixelsState {
    return {
      xs: [...this.#xs],
      priorities: this.#priorities,
      paired: this.#paired,
      wide: this.#wide,
      pending: this.#pending,
      active: this.#active,
      halted: this.#halted,
      bits: [...this.#bits],
      pixels: [...this.#pixels],
      wideFlips: this.#wideFlips,
      pairFlips: this.#pairFlips,
    }
  }

  restore(state: SpritePixelsState): void {
    this.#xs.set(state.xs)
    this.#noteStarts()
    this.#priorities = state.priorities
    this.#paired = state.paired
    this.#wide = state.wide
    this.#pending = state.pending
    this.#active = state.active
    this.#halted = state.halted
    this.#bits.set(state.bits)
    this.#pixels.set(state.pixels)
    this.#wideFlips = state.wideFlips
    this.#pairFlips = state.pairFlips
  }
}
