/**
 * Puts off the cycles of a line in which the CPU does nothing that the VIC-II could notice, and does them at once after
 * the line, or one by one before. `VicCycle.tick` defines the result. Colour writes and register reads of the CPU are
 * noted with their cycle.
 */
import { BACKGROUND_IRQ, BMM, COLUMNS, DECISIONS, ECM, IDLE, IDLE_ECM, SPRITE_IRQ, VicCycle } from './vicCycle'
import {
  COUNT_RC,
  FIRST_HALF,
  GRACE_CYCLES,
  GRAPHICS,
  MATRIX_BA,
  REFRESH,
  SPRITE_BYTES,
  SPRITE_POINTER,
  SPRITE_SHIFT,
  SPRITES_BA,
} from './vicTiming'

/** After this cycle the line has begun, and may be put off. */
export const LINE_BEGUN = 1
const MATRIX_BA_START = 11
const MATRIX_END = 53
const REFRESH_START = 10
const DISPLAY_START = 15
const SPRITES_COUNTED = 15
const MORE_REFRESHES = 4

const MAX_NOTES = 65
const NOTE_SIZE = 3

export class VicLine extends VicCycle {
  isPutOff = false
  readonly #colorNotes = new Uint8Array(MAX_NOTES * NOTE_SIZE)
  #colorNotesEnd = 0
  #nextColorNote = 0
  readonly #busNotes = new Uint8Array(MAX_NOTES).fill(0xff)
  #hasBusNotes = false
  #dmaBefore = 0
  #dmaAfter = 0
  #hasSprites = false
  readonly #graphicsBytes = new Uint8Array(COLUMNS)
  readonly #bytesLeft = this.#countBytesLeft()

  #countBytesLeft(): readonly number[] {
    const left = Array<number>(8).fill(0)
    for (let cycle = LINE_BEGUN + 1; cycle <= SPRITES_COUNTED; cycle++) {
      for (const [actions, bytes] of [
        [this.timing.actions[cycle - 1] ?? 0, [1, 1]],
        [this.timing.actions[cycle] ?? 0, [0, 1]],
      ] as const) {
        const sprite = (actions >> SPRITE_SHIFT) & 7
        const kind = actions & FIRST_HALF
        if (kind === SPRITE_POINTER) left[sprite] = (left[sprite] ?? 0) + bytes[0]
        else if (kind === SPRITE_BYTES) left[sprite] = (left[sprite] ?? 0) + bytes[1]
      }
    }
    return left
  }

  /** To be called after the cycle `LINE_BEGUN`: puts the other cycles off if that makes no difference. */
  putOff(): void {
    if (
      this.collisionsRead !== 0 ||
      this.frameEnds ||
      this.verticalBorder !== this.verticalBorderDue ||
      !this.pixels.isBetweenLines(this)
    )
      return
    this.#foreseeSprites()
    if (this.#hasSprites && (this.register(0x1a) & (SPRITE_IRQ | BACKGROUND_IRQ)) !== 0) return
    this.isPutOff = true
  }

  #foreseeSprites(): void {
    const before = this.spriteDma
    let after = before
    if (before !== 0) {
      for (let sprite = 0; sprite < 8; sprite++) {
        const mask = 1 << sprite
        if ((before & this.expansionFlips & mask) === 0) continue
        if ((((this.mc[sprite] ?? 0) + (this.#bytesLeft[sprite] ?? 0)) & 63) === 63) after &= ~mask
      }
    }
    const enabled = this.register(0x15) & ~after
    if (enabled !== 0) {
      const line = this.raster & 0xff
      for (let sprite = 0; sprite < 8; sprite++) {
        if ((enabled & (1 << sprite)) !== 0 && this.register(2 * sprite + 1) === line) after |= 1 << sprite
      }
    }
    this.#dmaBefore = before
    this.#dmaAfter = after
    this.#hasSprites = after !== 0 || !this.pixels.sprites.isAway
  }

  holdsBusIn(cycle: number): boolean {
    const actions = this.timing.actions[cycle] ?? 0
    if (this.badLine && (actions & MATRIX_BA) !== 0) return true
    return ((cycle < MATRIX_BA_START ? this.#dmaBefore : this.#dmaAfter) & actions & SPRITES_BA) !== 0
  }

  nextCycleWith(isLow: boolean, cycle: number): number {
    const { cycles, spritesStart } = this.timing
    let next = cycle + 1
    if (isLow) {
      if (next < MATRIX_BA_START && this.#dmaBefore === 0) next = MATRIX_BA_START
      if (next >= MATRIX_BA_START && !this.badLine && next < spritesStart) next = spritesStart
      if (next >= spritesStart && this.#dmaAfter === 0) return cycles
    } else if (this.badLine && next > MATRIX_BA_START && next <= MATRIX_END) {
      next = MATRIX_END + 1
    }
    while (next < cycles && this.holdsBusIn(next) !== isLow) next++
    return next
  }

  mayRead(address: number): boolean {
    if (address >> 14 !== this.memory.bank) return false
    const offset = address & 0x3fff
    if (this.isRom(offset)) return false
    const pointers = this.matrixBase | 0x3f8
    if ((offset & 0x3c00) === this.matrixBase) {
      if (offset >= pointers || (this.badLine && ((offset - this.vcBase) & 0x3ff) < COLUMNS)) return true
    }
    if (offset === IDLE || offset === IDLE_ECM) return true
    if (!this.idle && this.#holdsGraphics(offset)) return true
    const dma = this.#dmaBefore | this.#dmaAfter
    if (dma === 0) return false
    const block = offset >> 6
    const pointerCells = (this.memory.bank << 14) | pointers
    for (let sprite = 0; sprite < 8; sprite++) {
      if ((dma & (1 << sprite)) === 0) continue
      if (this.pointers[sprite] === block || this.memory.ram[pointerCells | sprite] === block) return true
    }
    return false
  }

  mayReadColor(cell: number): boolean {
    return this.badLine && ((cell - this.vcBase) & 0x3ff) < COLUMNS
  }

  #holdsGraphics(offset: number): boolean {
    if ((offset & 7) !== (this.badLine ? 0 : this.rc)) return false
    const pointers = this.register(0x18)
    const control1 = this.register(0x11)
    if ((control1 & BMM) === 0) return (offset & 0x3800) === (pointers & 0x0e) << 10
    if ((offset & 0x2000) !== (pointers & 0x08) << 10) return false
    return (control1 & ECM) !== 0 || (((offset >> 3) - this.vcBase) & 0x3ff) < COLUMNS
  }

  floatingByteIn(cycle: number): number | undefined {
    const actions = this.timing.actions[cycle] ?? 0
    switch (actions & FIRST_HALF) {
      case GRAPHICS:
        if (this.idle) return this.fetch(this.#idleAddress)
        return this.badLine ? undefined : this.#graphicsOf(cycle - DISPLAY_START)
      case REFRESH:
        return this.fetch(0x3f00 | ((this.refresh - (cycle - REFRESH_START)) & 0xff))
      case SPRITE_POINTER:
      case SPRITE_BYTES:
        return undefined
      default:
        return this.fetch(IDLE)
    }
  }

  #graphicsOf(column: number): number {
    this.column = column
    this.vc = (this.vcBase + column) & 0x3ff
    return this.fetch(this.graphicsAddress(this.control1Before))
  }

  /** @returns false if the cycles put off have to be done first */
  canReadLater(register: number): boolean {
    if (register === 0x1e || register === 0x1f) return false
    return register !== 0x19 || !this.#mayCollide
  }

  /** One collision interrupt is latched until it is read. */
  get #mayCollide(): boolean {
    const { spriteCollisions, backgroundCollisions } = this.pixels.sprites
    return this.#hasSprites && (spriteCollisions === 0 || backgroundCollisions === 0)
  }

  noteBus(cycle: number, value: number): void {
    this.#busNotes[cycle] = value
    this.#hasBusNotes = true
  }

  /** @returns false if the cycles put off have to be done first */
  writeLater(register: number, value: number, cycle: number): boolean {
    if (register >= 0x20 && register <= 0x2e) {
      const end = this.#colorNotesEnd
      if (end > 0 && this.#colorNotes[end - NOTE_SIZE] === cycle) return false
      this.registers[register] = value
      this.#colorNotes[end] = cycle
      this.#colorNotes[end + 1] = register
      this.#colorNotes[end + 2] = value & 0x0f
      this.#colorNotesEnd = end + NOTE_SIZE
    } else if (register === 0x19 && ((value & (SPRITE_IRQ | BACKGROUND_IRQ)) === 0 || !this.#mayCollide)) {
      this.latch &= ~value
    } else if (register === 0x12 && (value | ((this.register(0x11) & 0x80) << 1)) !== this.raster) {
      this.registers[register] = value
      this.compareMatches = false
    } else {
      return false
    }
    this.noteBus(cycle, value)
    return true
  }

  catchUp(count: number): void {
    this.isPutOff = false
    for (let done = 0; done < count; done++) {
      if (this.#hasBusNotes) this.#recallNotes(this.cycle)
      this.tick()
    }
    if (!this.#hasBusNotes) return
    this.#recallNotes(this.cycle)
    this.forgetNotes()
  }

  #recallNotes(cycle: number): void {
    this.busByte = this.#busNotes[cycle] ?? 0xff
    const at = this.#nextColorNote
    if (at === this.#colorNotesEnd || this.#colorNotes[at] !== cycle) return
    this.writeColor(this.#colorNotes[at + 1] ?? 0, this.#colorNotes[at + 2] ?? 0)
    this.#nextColorNote = at + NOTE_SIZE
  }

  /** Counts from the next cycle on. A CPU writes at most one in a cycle; from outside several may come at once. */
  protected writeColor(register: number, value: number): void {
    if (this.writtenColor >= 0) this.pixels.setColor(this.writtenColor, this.writtenValue)
    this.writtenColor = register
    this.writtenValue = value
  }

  protected forgetNotes(): void {
    this.#busNotes.fill(0xff)
    this.#hasBusNotes = false
    this.#colorNotesEnd = 0
    this.#nextColorNote = 0
  }

  finishLine(): void {
    this.isPutOff = false
    const { timing, pixels, badLine } = this
    const last = timing.cycles - 1
    for (let cycle = LINE_BEGUN + 1; cycle <= REFRESH_START; cycle++) {
      this.#access(cycle)
      this.takeBus(timing.actions[cycle] ?? 0)
    }
    this.refresh = (this.refresh - MORE_REFRESHES) & 0xff
    this.decideSprites(timing.actions[SPRITES_COUNTED] ?? 0)
    this.grace = badLine ? 0 : GRACE_CYCLES + 1
    this.#readColumns()

    const { sprites } = pixels
    const { spriteCollisions, backgroundCollisions } = sprites
    const { idle, mainBorder } = this
    for (let cycle = MATRIX_END + 1; cycle <= last; cycle++) {
      const actions = timing.actions[cycle] ?? 0
      if (cycle > MATRIX_END + 1) this.#access(cycle)
      if ((actions & DECISIONS) !== 0) {
        this.decideSprites(actions)
        if ((actions & COUNT_RC) !== 0) this.count(actions)
      }
      this.takeBus(actions)
    }
    this.cycle = last
    this.actions = timing.actions[last] ?? 0
    this.mainBorder = true
    const notes = this.#colorNotes.subarray(0, this.#colorNotesEnd)
    pixels.drawLine(this, { idle, hadBorder: mainBorder, graphics: this.#graphicsBytes, notes, timing })
    this.noteCollisions(spriteCollisions, backgroundCollisions)
    if (this.#hasBusNotes) this.forgetNotes()
    this.busByte = 0xff
  }

  #access(cycle: number): void {
    const { actions } = this.timing
    const before = actions[cycle - 1] ?? 0
    if ((before & FIRST_HALF) >= SPRITE_POINTER) {
      this.busByte = this.#busNotes[cycle - 1] ?? 0xff
      this.readSpriteBytes(before)
    }
    this.lastByte = this.readFirstHalf(actions[cycle] ?? 0)
  }

  #readColumns(): void {
    const { vcBase, matrix, colors, memory } = this
    if (this.badLine) {
      this.rc = 0
      const { matrixBase } = this
      for (let column = 0; column < COLUMNS; column++) {
        const vc = (vcBase + column) & 0x3ff
        matrix[column] = this.fetch(matrixBase | vc)
        colors[column] = memory.colorRam[vc] ?? 0
      }
    }
    const bytes = this.#graphicsBytes
    this.vc = vcBase
    this.column = 0
    if (this.idle) {
      bytes.fill(this.fetch(this.#idleAddress))
    } else {
      for (let column = 0; column < COLUMNS; column++) {
        bytes[column] = this.#graphicsOf(column)
      }
      this.vc = (vcBase + COLUMNS) & 0x3ff
      this.column = COLUMNS
    }
    this.graphics = bytes[COLUMNS - 1] ?? 0
  }

  get #idleAddress(): number {
    return (this.register(0x11) & ECM) === 0 ? IDLE : IDLE_ECM
  }
}
