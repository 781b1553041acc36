/** The VIC-II as the CPU sees it: registers, raster, interrupts. The picture is drawn by src-shared/c64/vicii.ts. */
import type { VideoStandard } from '@shared/contract/machine'
import { VideoLogic, powerOnCounters, rasterOf } from '@shared/c64/vicii'
import { z } from 'zod'
import { byte } from './numbers'

const bytes = (length: number) => z.array(byte).length(length)

export const vicSchema = z.strictObject({
  registers: bytes(64),
  raster: z.int().min(0).max(311),
  /** Interrupt latch, bits 0 to 3 of $D019. */
  latch: z.int().min(0).max(15),
  spriteCollisions: byte,
  backgroundCollisions: byte,
  /** How far the present line is: 0 begun, 1 matrix fetched, 2 drawn, 3 sprites fetched. */
  phase: z.int().min(0).max(3),
  badLine: z.boolean(),
  counters: z.strictObject({
    badLines: z.boolean(),
    display: z.boolean(),
    verticalBorder: z.boolean(),
    vcBase: z.int().min(0).max(0x3ff),
    rc: z.int().min(0).max(7),
    matrix: bytes(40),
    colors: bytes(40),
    lastCode: byte,
    spriteDma: byte,
    spritesShown: byte,
    spriteFlips: byte,
    spriteRows: bytes(8),
    spriteData: bytes(24),
  }),
})
export type VicState = z.infer<typeof vicSchema>

const RASTER_IRQ = 0x01
const BACKGROUND_IRQ = 0x02
const SPRITE_IRQ = 0x04

/** Bits that read 1 because nothing is behind them. */
const unusedBits = Uint8Array.from({ length: 64 }, (_, register) => {
  if (register === 0x16) return 0xc0
  if (register === 0x18) return 0x01
  if (register === 0x19) return 0x70
  if (register === 0x1a) return 0xf0
  if (register >= 0x2f) return 0xff
  return register >= 0x20 ? 0xf0 : 0x00
})

export class VicII {
  readonly video: VideoLogic
  readonly registers = new Uint8Array(64)
  readonly #lines: number
  raster = 0
  phase = 0
  badLine = false
  #latch = 0

  constructor(standard: VideoStandard) {
    this.#lines = rasterOf[standard].lines
    this.video = new VideoLogic(standard)
  }

  /** Forgets everything; the raster starts at the top. The chip has no reset line. */
  powerOn(): void {
    this.registers.fill(0)
    this.raster = 0
    this.phase = 0
    this.badLine = false
    this.#latch = 0
    this.video.spriteCollisions = 0
    this.video.backgroundCollisions = 0
    this.video.counters = powerOnCounters()
  }

  get asserted(): boolean {
    return (this.#latch & this.#register(0x1a) & 0x0f) !== 0
  }

  nextLine(): void {
    this.raster = this.raster + 1 < this.#lines ? this.raster + 1 : 0
    this.phase = 0
    this.badLine = false
    this.#compareRaster()
  }

  /** Latches the interrupts of collisions that came while none were noted; `before` is what had been noted. */
  noteCollisions(spritesBefore: number, backgroundBefore: number): void {
    if (spritesBefore === 0 && this.video.spriteCollisions !== 0) this.#latch |= SPRITE_IRQ
    if (backgroundBefore === 0 && this.video.backgroundCollisions !== 0) this.#latch |= BACKGROUND_IRQ
  }

  /** @param register 0 to 63 */
  read(register: number): number {
    const value = this.peek(register)
    if (register === 0x1e) this.video.spriteCollisions = 0
    if (register === 0x1f) this.video.backgroundCollisions = 0
    return value
  }

  /** Like {@link read}, but the collisions stay noted. */
  peek(register: number): number {
    switch (register) {
      case 0x11:
        return (this.#register(0x11) & 0x7f) | ((this.raster & 0x100) >> 1)
      case 0x12:
        return this.raster & 0xff
      // No light pen is connected.
      case 0x13:
      case 0x14:
        return 0
      case 0x19:
        return this.#latch | 0x70 | (this.asserted ? 0x80 : 0)
      case 0x1e:
        return this.video.spriteCollisions
      case 0x1f:
        return this.video.backgroundCollisions
      default:
        return this.#register(register) | (unusedBits[register] ?? 0)
    }
  }

  /** @param register 0 to 63 */
  write(register: number, value: number): void {
    if (register === 0x19) {
      this.#latch &= ~value
      return
    }
    if (register === 0x1e || register === 0x1f) return
    const compareBefore = this.#compareLine
    this.registers[register] = value
    if ((register === 0x11 || register === 0x12) && this.#compareLine !== compareBefore) this.#compareRaster()
  }

  save(): VicState {
    const { counters, spriteCollisions, backgroundCollisions } = this.video
    return {
      registers: [...this.registers],
      raster: this.raster,
      latch: this.#latch,
      spriteCollisions,
      backgroundCollisions,
      phase: this.phase,
      badLine: this.badLine,
      counters: {
        ...counters,
        matrix: [...counters.matrix],
        colors: [...counters.colors],
        spriteRows: [...counters.spriteRows],
        spriteData: [...counters.spriteData],
      },
    }
  }

  restore(saved: VicState): void {
    this.registers.set(saved.registers)
    this.raster = saved.raster < this.#lines ? saved.raster : 0
    this.#latch = saved.latch
    this.phase = saved.phase
    this.badLine = saved.badLine
    this.video.spriteCollisions = saved.spriteCollisions
    this.video.backgroundCollisions = saved.backgroundCollisions
    this.video.counters = {
      ...saved.counters,
      matrix: Uint8Array.from(saved.counters.matrix),
      colors: Uint8Array.from(saved.counters.colors),
      spriteRows: Uint8Array.from(saved.counters.spriteRows),
      spriteData: Uint8Array.from(saved.counters.spriteData),
    }
  }

  #register(register: number): number {
    return this.registers[register] ?? 0
  }

  get #compareLine(): number {
    return this.#register(0x12) | ((this.#register(0x11) & 0x80) << 1)
  }

  #compareRaster(): void {
    if (this.raster === this.#compareLine) this.#latch |= RASTER_IRQ
  }
}
