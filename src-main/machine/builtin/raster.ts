/** The VIC-II on the machine's clock, and the picture that it draws. */
import { PICTURE_WIDTH, firstRasterLine, packPixels, pictureHeight, unpackPixels } from '@shared/c64/picture'
import { cyclesPerLine, rasterOf, renderPicture, type VideoMemory } from '@shared/c64/vicii'
import type { VideoStandard } from '@shared/contract/machine'
import type { Picture } from '@shared/contract/memory'
import { BACKGROUND_IRQ, SPRITE_IRQ } from './vicCycle'
import { LINE_BEGUN } from './vicLine'
import { powerOnVic, type VicII } from './vicii'

export const cyclesPerFrame = (standard: VideoStandard): number => cyclesPerLine[standard] * rasterOf[standard].lines

/** The first cycle of a line in which a bad line may take the bus. */
const MATRIX_BA_CYCLE = 11
/** The interrupts of collisions, which can come in any cycle. */
const COLLISIONS = BACKGROUND_IRQ | SPRITE_IRQ

export class Raster {
  /** The last cycle that the VIC-II has done. */
  now = 0
  /** The cycle that it was to do last; later than `now` while it puts off a line, up to `#lineEnd`. */
  #asked = 0
  #lineEnd = 0
  /** Pictures finished since the machine was made. */
  frames = 0
  readonly #vic: VicII
  readonly #standard: VideoStandard
  readonly #memory: VideoMemory
  readonly #pixels: Uint8Array
  /** For each raster line where it is drawn; lines outside the picture share one that nobody sees. */
  readonly #lines: readonly Uint8Array[]
  /** The raster line whose last cycle ends a picture. */
  readonly #lastLine: number
  #line = -1
  #onCycle: (() => void) | undefined
  /** The cycle in which a write let go of the interrupt line. */
  #releasedAt = -1

  constructor(vic: VicII, standard: VideoStandard, memory: VideoMemory) {
    this.#vic = vic
    this.#standard = standard
    this.#memory = memory
    const { lines } = rasterOf[standard]
    const height = pictureHeight(standard)
    const first = firstRasterLine(standard)
    const pixels = new Uint8Array(PICTURE_WIDTH * height)
    const unseen = new Uint8Array(PICTURE_WIDTH)
    this.#pixels = pixels
    this.#lines = Array.from({ length: lines }, (_, raster) => {
      const y = (raster - first + lines) % lines
      return y < height ? pixels.subarray(y * PICTURE_WIDTH, (y + 1) * PICTURE_WIDTH) : unseen
    })
    this.#lastLine = (first + height - 1) % lines
  }

  /** The chip has no reset line: this is what switching on does, before the cycle `next`. */
  powerOn(next: number): void {
    this.restore(next)
    this.#vic.restore(powerOnVic(this.#vic.timing))
    this.#beginLine()
    this.#pixels.fill(0)
  }

  /** The chip was restored as it stands before the cycle `next`. */
  restore(next: number): void {
    this.now = next - 1
    this.#asked = this.now
    this.#releasedAt = -1
    this.#beginLine()
  }

  /** The VIC-II has done all cycles up to and with `now` afterwards, or puts off the line that they are in. */
  advance(now: number): void {
    const vic = this.#vic
    while (this.now < now) {
      if (vic.isPutOff) {
        if (now < this.#lineEnd) break
        vic.finishLine()
        this.now = this.#lineEnd
      } else {
        this.now++
        vic.tick()
        this.#onCycle?.()
        if (vic.raster !== this.#line) this.#beginLine()
        if (vic.cycle === LINE_BEGUN && this.#onCycle === undefined) this.#putOff()
      }
      if (vic.raster === this.#lastLine && vic.cycle === vic.timing.cycles - 1) this.frames++
    }
    this.#asked = now
  }

  /** Calls a function after each cycle, until it is given none: nothing is put off meanwhile. */
  follow(onCycle: (() => void) | undefined): void {
    this.settle()
    this.#onCycle = onCycle
  }

  #putOff(): void {
    const vic = this.#vic
    vic.putOff()
    if (vic.isPutOff) this.#lineEnd = this.now + vic.timing.cycles - 1 - LINE_BEGUN
  }

  /** As {@link advance}, but nothing is put off. */
  settle(now: number = this.#asked): void {
    this.advance(now)
    if (!this.#vic.isPutOff) return
    this.#vic.catchUp(now - this.now)
    this.now = now
  }

  /** The cycle of the line up to which the VIC-II was to go. */
  get #askedCycle(): number {
    return LINE_BEGUN + this.#asked - this.now
  }

  /** The CPU reads a register, in the cycle of the last {@link advance}. */
  read(register: number): number {
    const vic = this.#vic
    if (vic.isPutOff) {
      if (vic.canReadLater(register)) {
        const value = vic.peek(register)
        vic.noteBus(this.#askedCycle, value)
        return value
      }
      this.settle()
    }
    return vic.read(register)
  }

  /** The CPU writes a register, in the cycle of the last {@link advance}. */
  write(register: number, value: number): void {
    const wasLow = this.seenLow
    this.#write(register, value)
    if (wasLow && !this.#vic.asserted) this.#releasedAt = this.#asked
  }

  #write(register: number, value: number): void {
    const vic = this.#vic
    if (vic.isPutOff) {
      if (vic.writeLater(register, value, this.#askedCycle)) return
      this.settle()
    }
    vic.write(register, value)
  }

  /** True while the CPU finds the interrupt line low: also in the cycle in which it is let go. */
  get seenLow(): boolean {
    return this.#vic.asserted || this.#releasedAt === this.#asked
  }

  /** What floats on the bus in the cycle of the last {@link advance}: what the VIC-II reads in its first half. */
  floatingByte(): number {
    const vic = this.#vic
    const byte = vic.isPutOff ? vic.floatingByteIn(this.#askedCycle) : vic.lastByte
    if (byte !== undefined) return byte
    this.settle()
    return vic.lastByte
  }

  /** Whether the VIC-II may read the RAM at an address in what it puts off. */
  mayReadLater(address: number): boolean {
    return this.#vic.isPutOff && this.#vic.mayRead(address)
  }

  /** Whether it may read a cell of colour RAM there. */
  mayReadColorLater(cell: number): boolean {
    return this.#vic.isPutOff && this.#vic.mayReadColor(cell)
  }

  /** The next cycle in which the VIC-II may do by itself what the CPU or a caller notices: take the bus, interrupt, end a picture. */
  get nextEvent(): number {
    const vic = this.#vic
    const { cycle } = vic
    const { cycles, spritesStart } = vic.timing
    const isLast = vic.raster === this.#lastLine
    if (this.#releasedAt === this.#asked) return this.#asked + 1
    if (vic.isPutOff) {
      const taken = vic.nextCycleWith(true, this.#askedCycle)
      return this.now - LINE_BEGUN + (isLast ? Math.min(taken, cycles - 1) : taken)
    }
    const soon = this.now + 1
    if (vic.busTaken || vic.isTouched || cycle <= LINE_BEGUN || ((vic.registers[0x1a] ?? 0) & COLLISIONS) !== 0)
      return soon
    if (cycle >= MATRIX_BA_CYCLE && cycle < spritesStart) return this.now + spritesStart - cycle
    if (cycle === spritesStart || vic.spriteDma !== 0) return soon
    if (cycle < MATRIX_BA_CYCLE) return this.now + MATRIX_BA_CYCLE - cycle
    return this.now + (isLast && cycle < cycles - 1 ? cycles - 1 : cycles) - cycle
  }

  /** Whether the VIC-II needs the bus in the cycle of the last {@link advance}, or in one of the next three. */
  get holdsBus(): boolean {
    const vic = this.#vic
    return vic.isPutOff ? vic.holdsBusIn(this.#askedCycle) : vic.busTaken
  }

  /** While the VIC-II needs the bus: the cycle in which it may let go, or up to which a line is put off. */
  get busFreeAt(): number {
    const vic = this.#vic
    return vic.isPutOff ? this.now - LINE_BEGUN + vic.nextCycleWith(false, this.#askedCycle) : this.now + 1
  }

  /** The picture as it was drawn last. */
  picture(): Picture {
    return { width: PICTURE_WIDTH, height: pictureHeight(this.#standard), pixels: packPixels(this.#pixels) }
  }

  /** Draws all lines at once, with the registers and the memory as they are. */
  redraw(): void {
    const { registers } = this.#vic
    const { ram, characterRom, colorRam, bank } = this.#memory
    const { picture } = renderPicture({ ram, characterRom, colorRam, bank, registers, standard: this.#standard })
    this.#pixels.set(unpackPixels(picture.pixels))
  }

  #beginLine(): void {
    const line = this.#lines[this.#vic.raster]
    if (!line) throw new RangeError(`there is no raster line ${this.#vic.raster}`)
    this.#line = this.#vic.raster
    this.#vic.pixels.line = line
  }
}
