/**
 * The VIC-II in time: what it reads, decides and draws in each cycle. The rules and names (VC, RC, bad line, idle state,
 * MCBASE, border flip-flops) are those of Christian Bauer's "The MOS 6567/6569 video controller (VIC-II) and its
 * application in the Commodore 64"; where that leaves a moment open, it is x64sc's.
 */
import type { FirstHalf } from '@shared/contract/rasterFrame'
import type { VideoMemory } from '@shared/c64/vicii'
import type { VicModel, VideoStandard } from '@shared/contract/machine'
import { PICTURE_END, PICTURE_START, VicPixels, type Drawn } from './vicPixels'
import {
  BORDER_40,
  BORDER_LEFT,
  BORDER_RIGHT,
  COUNT_RC,
  END_SPRITES,
  FIRST_HALF,
  FLIP_EXPANSION,
  GRACE_CYCLES,
  GRAPHICS,
  LOAD_VC,
  MATRIX,
  MATRIX_BA,
  REFRESH,
  SHOW_SPRITES,
  SPRITE_BYTES,
  SPRITE_POINTER,
  SPRITE_SHIFT,
  SPRITES_BA,
  START_SPRITES,
  lineTimings,
  type LineTiming,
} from './vicTiming'

const RASTER_IRQ = 0x01
export const BACKGROUND_IRQ = 0x02
export const SPRITE_IRQ = 0x04
const PEN_IRQ = 0x08

const FIRST_DMA_LINE = 0x30
const LAST_DMA_LINE = 0xf7
const [TOP_25, TOP_24, BOTTOM_24, BOTTOM_25] = [51, 55, 247, 251]
export const COLUMNS = 40
/** What an idle access reads, and with ECM the graphics in idle state. */
export const IDLE = 0x3fff
export const IDLE_ECM = 0x39ff
const DEN = 0x10
const RSEL = 0x08
const CSEL = 0x08
export const BMM = 0x20
export const ECM = 0x40

export const DECISIONS = END_SPRITES | START_SPRITES | FLIP_EXPANSION | SHOW_SPRITES | LOAD_VC | COUNT_RC

export class VicCycle implements Drawn {
  readonly timing: LineTiming
  readonly pixels: VicPixels
  readonly registers = new Uint8Array(64)
  raster = 0
  cycle = 0
  frameEnds = false
  /** Interrupt latch, bits 0 to 3 of $D019. */
  latch = 0
  badLine = false
  /** BA is low: the CPU may write, and waits when it reads. */
  busTaken = false
  isTouched = false
  /**
   * The light pen's line is low. It latches the beam's position once a frame, and at once when a frame begins with the
   * line still low.
   */
  penLow = false
  protected penDue = false
  protected penLatched = false
  protected penX = 0
  protected penY = 0
  /** What was read in the first half of the cycle, and so floats on the bus. */
  lastByte = 0

  readonly matrix = new Uint8Array(COLUMNS)
  readonly colors = new Uint8Array(COLUMNS)
  graphics = 0
  idle = false
  verticalBorder = true
  mainBorder = true
  readonly spriteXs = new Uint16Array(8)
  spritesMoved = true
  readonly spriteData = new Int32Array(8)
  spritesShown = 0
  writtenColor = -1
  writtenValue = 0

  protected readonly memory: VideoMemory
  /** The 6567 and 6569 differ from the later 8562 and 8565 in when a register takes effect. */
  protected readonly isNmos: boolean
  readonly #programByte: () => number
  protected actions = 0
  protected compareMatches = false
  protected badLinesAllowed = false
  protected verticalBorderDue = true
  protected refresh = 0xff
  protected vc = 0
  protected vcBase = 0
  protected rc = 0
  protected column = 0
  /** $D011 in the cycle before. */
  protected control1Before = 0
  /** Cycles until the VIC-II has the bus, counted from when BA goes low. */
  protected grace = GRACE_CYCLES + 1
  protected busByte = 0xff
  spriteDma = 0
  /** One bit a sprite. */
  protected expansionFlips = 0xff
  protected readonly mc = new Uint8Array(8)
  protected readonly mcBase = new Uint8Array(8)
  protected readonly pointers = new Uint8Array(8)
  /** The collision register that the CPU has read, cleared with the next cycle; 0 for none. */
  protected collisionsRead: 0 | 0x1e | 0x1f = 0

  /** @param programByte the RAM byte where the CPU reads its program */
  constructor(standard: VideoStandard, model: VicModel, memory: VideoMemory, programByte: () => number) {
    this.isNmos = model === '6569'
    this.timing = lineTimings[standard]
    this.memory = memory
    this.#programByte = programByte
    this.pixels = new VicPixels(this.isNmos)
  }

  get compareLine(): number {
    return this.register(0x12) | ((this.register(0x11) & 0x80) << 1)
  }

  tick(): void {
    const before = this.actions
    const { timing, pixels } = this
    if ((before & FIRST_HALF) >= SPRITE_POINTER) this.readSpriteBytes(before)

    const x = timing.xs[this.cycle] ?? 0
    const cycle = this.cycle + 1 === timing.cycles ? 0 : this.cycle + 1
    const actions = timing.actions[cycle] ?? 0
    this.cycle = cycle
    this.actions = actions
    this.lastByte = this.readFirstHalf(actions)
    if ((actions & (BORDER_LEFT | BORDER_RIGHT)) !== 0) this.#compareSideBorder(actions)
    const { spriteCollisions, backgroundCollisions } = pixels.sprites
    pixels.draw(this, before, x, cycle >= PICTURE_START && cycle < PICTURE_END ? (cycle - PICTURE_START) * 8 : -1)
    this.noteCollisions(spriteCollisions, backgroundCollisions)

    if (cycle <= 1) this.#beginLine(cycle)
    const matches = this.raster === this.compareLine
    if (matches && !this.compareMatches) this.latch |= RASTER_IRQ
    this.compareMatches = matches
    this.#compareVerticalBorder()
    if (cycle === 0) this.verticalBorder = this.verticalBorderDue

    const isDecided = (actions & DECISIONS) !== 0
    if (isDecided) this.decideSprites(actions)
    this.#decideBadLine()
    if (isDecided) this.count(actions)

    this.takeBus(actions)
    if (this.badLine && (actions & MATRIX) !== 0) this.#readMatrix()
    this.busByte = 0xff
    this.isTouched = false
    this.control1Before = this.register(0x11)
    if (this.penDue) this.#latchPen((timing.xs[cycle] ?? 0) / 2 + (this.isNmos ? 2 : 1))
  }

  setPen(isLow: boolean): void {
    if (isLow && !this.penLow) {
      this.penDue = true
      this.isTouched = true
    }
    this.penLow = isLow
  }

  /** @param x the coordinate divided by two */
  #latchPen(x: number): void {
    this.penDue = false
    if (this.penLatched) return
    this.penLatched = true
    if (this.raster === this.timing.lines - 1 && this.cycle > 0) return
    this.penX = x & 0xff
    this.penY = this.raster & 0xff
    this.latch |= PEN_IRQ
  }

  /** The use of the second half of the cycle, after the cycles of grace; null where it is the CPU's. */
  get taken(): 'matrix' | 'sprite' | null {
    if (this.grace > 0) return null
    if (this.badLine && (this.actions & MATRIX) !== 0) return 'matrix'
    const isSprites = (this.actions & FIRST_HALF) >= SPRITE_POINTER
    return isSprites && (this.spriteDma & (1 << ((this.actions >> SPRITE_SHIFT) & 7))) !== 0 ? 'sprite' : null
  }

  get reads(): FirstHalf {
    switch (this.actions & FIRST_HALF) {
      case REFRESH:
        return 'refresh'
      case GRAPHICS:
        return this.idle ? 'idle' : 'graphics'
      case SPRITE_POINTER:
        return 'pointer'
      case SPRITE_BYTES:
        return this.taken === 'sprite' ? 'sprite' : 'idle'
      default:
        return 'idle'
    }
  }

  protected takeBus(actions: number): void {
    this.busTaken = (this.badLine && (actions & MATRIX_BA) !== 0) || (this.spriteDma & actions & SPRITES_BA) !== 0
    if (!this.busTaken) this.grace = GRACE_CYCLES + 1
    else if (this.grace > 0) this.grace--
  }

  protected register(register: number): number {
    return this.registers[register] ?? 0
  }

  protected fetch(address: number): number {
    const { memory } = this
    if ((address & 0x3000) === 0x1000 && (memory.bank & 1) === 0) return memory.characterRom[address & 0x0fff] ?? 0
    return memory.ram[(memory.bank << 14) | address] ?? 0
  }

  protected readFirstHalf(actions: number): number {
    switch (actions & FIRST_HALF) {
      case GRAPHICS:
        return this.#readGraphics()
      case REFRESH: {
        const byte = this.fetch(0x3f00 | this.refresh)
        this.refresh = (this.refresh - 1) & 0xff
        return byte
      }
      case SPRITE_POINTER: {
        const sprite = (actions >> SPRITE_SHIFT) & 7
        const pointer = this.fetch(this.matrixBase | 0x3f8 | sprite)
        this.pointers[sprite] = pointer
        return pointer
      }
      case SPRITE_BYTES: {
        const sprite = (actions >> SPRITE_SHIFT) & 7
        const byte = (this.spriteDma & (1 << sprite)) !== 0 ? this.#readSprite(sprite) : this.fetch(IDLE)
        this.spriteData[sprite] = ((this.spriteData[sprite] ?? 0) & 0xff00ff) | (byte << 8)
        return byte
      }
      default:
        return this.fetch(IDLE)
    }
  }

  protected get matrixBase(): number {
    return (this.register(0x18) & 0xf0) << 6
  }

  #readGraphics(): number {
    if (this.idle) {
      const control1 = this.isNmos ? this.register(0x11) : this.control1Before
      this.graphics = this.fetch((control1 & ECM) === 0 ? IDLE : IDLE_ECM)
      return this.graphics
    }
    this.graphics = this.fetch(this.isNmos ? this.#nmosAddress() : this.graphicsAddress(this.control1Before))
    this.column++
    this.vc = (this.vc + 1) & 0x3ff
    return this.graphics
  }

  #nmosAddress(): number {
    const control1 = this.register(0x11)
    const before = this.control1Before
    if (((control1 ^ before) & BMM) !== 0) {
      // On a change from RAM to the character ROM the low byte is still that of the mode before.
      const from = this.graphicsAddress(before)
      const to = this.graphicsAddress(control1)
      if (!this.isRom(from) && this.isRom(to)) return (from & 0xff) | (to & 0x3f00)
    }
    return this.graphicsAddress(control1 | (before & BMM))
  }

  protected graphicsAddress(control1: number): number {
    const pointers = this.register(0x18)
    const address =
      (control1 & BMM) !== 0
        ? ((pointers & 0x08) << 10) | (this.vc << 3) | this.rc
        : ((pointers & 0x0e) << 10) | ((this.matrix[this.column] ?? 0) << 3) | this.rc
    return (control1 & ECM) !== 0 ? address & 0x39ff : address
  }

  protected isRom(address: number): boolean {
    return (address & 0x3000) === 0x1000 && (this.memory.bank & 1) === 0
  }

  #readMatrix(): void {
    const { column } = this
    if (this.grace > 0) {
      // While the CPU still has the bus, all bits float high, and the colour is what the CPU itself reads.
      this.matrix[column] = 0xff
      this.colors[column] = this.#programByte() & 0x0f
    } else {
      this.matrix[column] = this.fetch(this.matrixBase | this.vc)
      this.colors[column] = this.memory.colorRam[this.vc] ?? 0
    }
  }

  #readSprite(sprite: number): number {
    const mc = this.mc[sprite] ?? 0
    this.mc[sprite] = (mc + 1) & 0x3f
    return this.fetch(((this.pointers[sprite] ?? 0) << 6) | mc)
  }

  /** Reads the first or third byte, in the second half of a sprite's cycle. */
  protected readSpriteBytes(actions: number): void {
    const sprite = (actions >> SPRITE_SHIFT) & 7
    let byte = this.busByte
    if ((this.spriteDma & (1 << sprite)) !== 0) {
      const read = this.#readSprite(sprite)
      if (this.grace === 0) byte = read
    }
    const data = this.spriteData[sprite] ?? 0
    this.spriteData[sprite] =
      (actions & FIRST_HALF) === SPRITE_POINTER ? (data & 0x00ffff) | (byte << 16) : (data & 0xffff00) | byte
  }

  #compareSideBorder(actions: number): void {
    const has40 = (this.register(0x16) & CSEL) !== 0
    if (has40 !== ((actions & BORDER_40) !== 0)) return
    if ((actions & BORDER_RIGHT) !== 0) {
      this.mainBorder = true
      return
    }
    this.#compareBottom()
    this.verticalBorder = this.verticalBorderDue
    if (!this.verticalBorder) this.mainBorder = false
  }

  #compareVerticalBorder(): void {
    const control1 = this.register(0x11)
    if (this.raster === ((control1 & RSEL) !== 0 ? TOP_25 : TOP_24) && (control1 & DEN) !== 0) {
      this.verticalBorder = false
      this.verticalBorderDue = false
    }
    this.#compareBottom()
  }

  #compareBottom(): void {
    if (this.raster === ((this.register(0x11) & RSEL) !== 0 ? BOTTOM_25 : BOTTOM_24)) this.verticalBorderDue = true
  }

  protected noteCollisions(spritesBefore: number, backgroundBefore: number): void {
    const { sprites } = this.pixels
    if (this.collisionsRead !== 0) {
      if (this.collisionsRead === 0x1e) sprites.spriteCollisions = 0
      else sprites.backgroundCollisions = 0
      this.collisionsRead = 0
    }
    if (spritesBefore === 0 && sprites.spriteCollisions !== 0) this.latch |= SPRITE_IRQ
    if (backgroundBefore === 0 && sprites.backgroundCollisions !== 0) this.latch |= BACKGROUND_IRQ
  }

  #beginLine(cycle: number): void {
    if (cycle === 0) {
      if (this.raster === this.timing.lines - 1) this.frameEnds = true
      if (this.raster === FIRST_DMA_LINE && (this.register(0x11) & DEN) !== 0) this.badLinesAllowed = true
      if (this.raster === LAST_DMA_LINE) this.badLinesAllowed = false
      this.badLine = false
      if (!this.frameEnds) this.raster++
    } else if (this.frameEnds) {
      this.frameEnds = false
      this.raster = 0
      this.refresh = 0xff
      this.badLinesAllowed = false
      this.vc = this.vcBase = 0
      this.penLatched = false
      if (this.penLow) this.#latchPen(this.timing.penXAtFrame)
    }
  }

  #decideBadLine(): void {
    const control1 = this.register(0x11)
    if (this.raster === FIRST_DMA_LINE && (control1 & DEN) !== 0) this.badLinesAllowed = true
    if (!this.badLinesAllowed) return
    this.badLine = (this.raster & 7) === (control1 & 7)
    if (this.badLine) this.idle = false
  }

  protected decideSprites(actions: number): void {
    const enabled = this.register(0x15)
    if ((actions & END_SPRITES) !== 0) this.#endSprites()
    if ((actions & START_SPRITES) !== 0) {
      const waiting = enabled & ~this.spriteDma
      if (waiting !== 0) this.#startSprites(this.#spritesAtLine(waiting))
    }
    if ((actions & FLIP_EXPANSION) !== 0) this.expansionFlips ^= this.spriteDma & this.register(0x17)
    if ((actions & SHOW_SPRITES) !== 0) {
      this.mc.set(this.mcBase)
      const waiting = this.spriteDma & enabled & ~this.spritesShown
      if (waiting !== 0) this.spritesShown |= this.#spritesAtLine(waiting)
      this.spritesShown &= this.spriteDma
    }
  }

  #endSprites(): void {
    const { mc, mcBase, expansionFlips } = this
    for (let sprite = 0; sprite < 8; sprite++) {
      if ((expansionFlips & (1 << sprite)) === 0) continue
      const counter = mc[sprite] ?? 0
      mcBase[sprite] = counter
      if (counter === 63) this.spriteDma &= ~(1 << sprite)
    }
  }

  #startSprites(started: number): void {
    if (started === 0) return
    this.spriteDma |= started
    this.expansionFlips |= started
    for (let sprite = 0; sprite < 8; sprite++) if ((started & (1 << sprite)) !== 0) this.mcBase[sprite] = 0
  }

  #spritesAtLine(sprites: number): number {
    const line = this.raster & 0xff
    let found = 0
    for (let sprite = 0; sprite < 8; sprite++) {
      if ((sprites & (1 << sprite)) !== 0 && this.registers[2 * sprite + 1] === line) found |= 1 << sprite
    }
    return found
  }

  protected count(actions: number): void {
    if ((actions & LOAD_VC) !== 0) {
      this.vc = this.vcBase
      this.column = 0
      if (this.badLine) this.rc = 0
    }
    if ((actions & COUNT_RC) !== 0) {
      if (this.rc === 7) {
        this.idle = true
        this.vcBase = this.vc
      }
      if (!this.idle || this.badLine) {
        this.rc = (this.rc + 1) & 7
        this.idle = false
      }
    }
  }
}
