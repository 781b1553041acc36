import { z } from 'zod'
import { byte } from './numbers'
import { VicLine } from './vicLine'
import { pixelsSchema, powerOnPixels } from './vicPixels'
import { CRUNCH, GRACE_CYCLES, type LineTiming } from './vicTiming'

const bytes = (length: number) => z.array(byte).length(length)

export const vicSchema = z.strictObject({
  registers: bytes(64),
  raster: z.int().min(0).max(311),
  cycle: z.int().min(0).max(64),
  frameEnds: z.boolean(),
  /** Interrupt latch, bits 0 to 3 of $D019. */
  latch: z.int().min(0).max(15),
  compareMatches: z.boolean(),
  badLinesAllowed: z.boolean(),
  badLine: z.boolean(),
  busTaken: z.boolean(),
  grace: z
    .int()
    .min(0)
    .max(GRACE_CYCLES + 1),
  lastByte: byte,
  busByte: byte,
  refresh: byte,
  idle: z.boolean(),
  vc: z.int().min(0).max(0x3ff),
  vcBase: z.int().min(0).max(0x3ff),
  rc: z.int().min(0).max(7),
  column: z.int().min(0).max(40),
  matrix: bytes(40),
  colors: bytes(40),
  graphics: byte,
  control1Before: byte,
  verticalBorder: z.boolean(),
  verticalBorderDue: z.boolean(),
  mainBorder: z.boolean(),
  penLow: z.boolean(),
  penDue: z.boolean(),
  penLatched: z.boolean(),
  penX: byte,
  penY: byte,
  spriteCollisions: byte,
  backgroundCollisions: byte,
  collisionsRead: z.union([z.literal(0), z.literal(0x1e), z.literal(0x1f)]),
  spriteDma: byte,
  spritesShown: byte,
  expansionFlips: byte,
  mc: z.array(z.int().min(0).max(63)).length(8),
  mcBase: z.array(z.int().min(0).max(63)).length(8),
  pointers: bytes(8),
  spriteData: z.array(z.int().min(0).max(0xff_ffff)).length(8),
  spritesMoved: z.boolean(),
  /** The colour register written in this cycle (-1 for none), and its value. */
  written: z.tuple([z.int().min(-1).max(0x2e), byte]),
  pixels: pixelsSchema,
})
export type VicState = z.infer<typeof vicSchema>

/** Unconnected bits, which read as 1. */
const unusedBits = Uint8Array.from({ length: 64 }, (_, register) => {
  if (register === 0x16) return 0xc0
  if (register === 0x18) return 0x01
  if (register === 0x19) return 0x70
  if (register === 0x1a) return 0xf0
  if (register >= 0x2f) return 0xff
  return register >= 0x20 ? 0xf0 : 0x00
})

export class VicII extends VicLine {
  get asserted(): boolean {
    return (this.latch & this.register(0x1a) & 0x0f) !== 0
  }

  /** @param register 0 to 63 */
  read(register: number): number {
    const value = this.peek(register)
    if (register === 0x1e || register === 0x1f) this.collisionsRead = register
    this.busByte = value
    return value
  }

  peek(register: number): number {
    switch (register) {
      case 0x11:
        return (this.register(0x11) & 0x7f) | ((this.raster & 0x100) >> 1)
      case 0x12:
        return this.raster & 0xff
      case 0x13:
        return this.penX
      case 0x14:
        return this.penY
      case 0x19:
        return this.latch | 0x70 | (this.asserted ? 0x80 : 0)
      case 0x1e:
        return this.pixels.sprites.spriteCollisions
      case 0x1f:
        return this.pixels.sprites.backgroundCollisions
      default:
        return this.register(register) | (unusedBits[register] ?? 0)
    }
  }

  /** @param register 0 to 63 */
  write(register: number, value: number): void {
    this.busByte = value
    this.isTouched = true
    if (register === 0x19) {
      this.latch &= ~value
      return
    }
    if (register === 0x1e || register === 0x1f) return
    if (register === 0x17) this.#clearExpansion(value)
    this.registers[register] = value
    if (register <= 0x10) this.#moveSprites()
    else if (register >= 0x20 && register <= 0x2e) this.writeColor(register, value & 0x0f)
  }

  /** A sprite whose Y expansion ends in the cycle that checks its counters continues with a mixture of them. */
  #clearExpansion(value: number): void {
    const cleared = ~value & ~this.expansionFlips & 0xff
    if ((this.actions & CRUNCH) !== 0) {
      for (let sprite = 0; sprite < 8; sprite++) {
        if ((cleared & (1 << sprite)) === 0) continue
        const [mc, mcBase] = [this.mc[sprite] ?? 0, this.mcBase[sprite] ?? 0]
        this.mc[sprite] = (0x2a & mcBase & mc) | (0x15 & (mcBase | mc))
      }
    }
    this.expansionFlips |= cleared
  }

  #moveSprites(): void {
    for (let sprite = 0; sprite < 8; sprite++) {
      this.spriteXs[sprite] = this.register(2 * sprite) | (((this.register(0x10) >> sprite) & 1) << 8)
    }
    this.spritesMoved = true
  }

  save(): VicState {
    const { registers, raster, cycle, frameEnds, latch, compareMatches, badLinesAllowed, badLine, busTaken } = this
    const { grace, lastByte, busByte, refresh, idle, vc, vcBase, rc, column, graphics, control1Before } = this
    const { verticalBorder, verticalBorderDue, mainBorder, collisionsRead, spriteDma, spritesShown } = this
    const { expansionFlips, spritesMoved, pixels } = this
    const { penLow, penDue, penLatched, penX, penY } = this
    return {
      registers: [...registers],
      raster,
      cycle,
      frameEnds,
      latch,
      compareMatches,
      badLinesAllowed,
      badLine,
      busTaken,
      grace,
      lastByte,
      busByte,
      refresh,
      idle,
      vc,
      vcBase,
      rc,
      column,
      graphics,
      control1Before,
      verticalBorder,
      verticalBorderDue,
      mainBorder,
      collisionsRead,
      spriteDma,
      spritesShown,
      expansionFlips,
      spritesMoved,
      penLow,
      penDue,
      penLatched,
      penX,
      penY,
      spriteCollisions: pixels.sprites.spriteCollisions,
      backgroundCollisions: pixels.sprites.backgroundCollisions,
      matrix: [...this.matrix],
      colors: [...this.colors],
      mc: [...this.mc],
      mcBase: [...this.mcBase],
      pointers: [...this.pointers],
      spriteData: [...this.spriteData],
      written: this.writtenColor < 0 ? [-1, 0] : [this.writtenColor, this.writtenValue],
      pixels: pixels.save(),
    }
  }

  restore(state: VicState): void {
    this.isPutOff = false
    this.forgetNotes()
    const { registers, matrix, colors, mc, mcBase, pointers, spriteData, written, pixels, ...others } = state
    const { spriteCollisions, backgroundCollisions, ...counters } = others
    Object.assign(this, counters)
    // A state of another video standard may have lines and cycles that this chip lacks.
    if (this.raster >= this.timing.lines) this.raster = 0
    if (this.cycle >= this.timing.cycles) this.cycle = 0
    this.actions = this.timing.actions[this.cycle] ?? 0
    this.registers.set(registers)
    this.matrix.set(matrix)
    this.colors.set(colors)
    this.mc.set(mc)
    this.mcBase.set(mcBase)
    this.pointers.set(pointers)
    this.spriteData.set(spriteData)
    ;[this.writtenColor, this.writtenValue] = written
    this.pixels.restore(pixels)
    this.pixels.sprites.spriteCollisions = spriteCollisions
    this.pixels.sprites.backgroundCollisions = backgroundCollisions
    this.#moveSprites()
    this.spritesMoved = state.spritesMoved
    this.isTouched = true
  }
}

export const powerOnVic = ({ lines, cycles }: LineTiming): VicState => ({
  registers: Array<number>(64).fill(0),
  raster: lines - 1,
  cycle: cycles - 1,
  frameEnds: false,
  latch: 0,
  compareMatches: false,
  badLinesAllowed: false,
  badLine: false,
  busTaken: false,
  grace: GRACE_CYCLES + 1,
  lastByte: 0,
  busByte: 0xff,
  refresh: 0xff,
  idle: false,
  vc: 0,
  vcBase: 0,
  rc: 0,
  column: 0,
  graphics: 0,
  control1Before: 0,
  verticalBorder: true,
  verticalBorderDue: true,
  mainBorder: true,
  penLow: false,
  penDue: false,
  penLatched: false,
  penX: 0,
  penY: 0,
  spriteCollisions: 0,
  backgroundCollisions: 0,
  collisionsRead: 0,
  spriteDma: 0,
  spritesShown: 0,
  expansionFlips: 0xff,
  spritesMoved: false,
  written: [-1, 0],
  matrix: Array<number>(40).fill(0),
  colors: Array<number>(40).fill(0),
  mc: Array<number>(8).fill(0),
  mcBase: Array<number>(8).fill(0),
  pointers: Array<number>(8).fill(0),
  spriteData: Array<number>(8).fill(0),
  pixels: powerOnPixels(),
})
