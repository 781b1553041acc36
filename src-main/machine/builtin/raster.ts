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
const COLLISIONS = BACKGROUND_IRQ | SPRITE_IRQ

export class Raster {
  now = 0
  #asked = 0
  #lineEnd = 0
  frames = 0
  readonly #vic: VicII
  readonly #standard: VideoStandard
  readonly #memory: VideoMemory
  readonly #pixels: Uint8Array
  readonly #lines: readonly Uint8Array[]
  readonly #lastLine: number
  #line = -1
  #onCycle: (() => void) | undefined
  /** The cycle in which a write released the interrupt line. */
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

  /** The VIC-II has no reset line, so this sets its state after power-on, before the cycle `next`. */
  powerOn(next: number): void {
    this.restore(next)
    this.#vic.restore(powerOnVic(this.#vic.timing))
    this.#beginLine()
    this.#pixels.fill(0)
  }

  restore(next: number): void {
    this.now = next - 1
    this.#asked = this.now
    this.#releasedAt = -1
    this.#beginLine()
  }

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

  /** Nothing is put off while a function is set. */
  follow(onCycle: (() => void) | undefined): void {
    this.settle()
    this.#onCycle = onCycle
  }

  #putOff(): void {
    const vic = this.#vic
    vic.putOff()
    if (vic.isPutOff) this.#lineEnd = this.now + vic.timing.cycles - 1 - LINE_BEGUN
  }

  settle(now: number = this.#asked): void {
    this.advance(now)
    if (!this.#vic.isPutOff) return
    this.#vic.catchUp(now - this.now)
    this.now = now
  }

  get #askedCycle(): number {
    return LINE_BEGUN + this.#asked - this.now
  }

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

  /** True while the CPU sees the line low, also in the cycle in which it is released. */
  get seenLow(): boolean {
    return this.#vic.asserted || this.#releasedAt === this.#asked
  }

  /** The floating bus in the cycle of the last {@link advance}: what the VIC-II reads in its first half. */
  floatingByte(): number {
    const vic = this.#vic
    const byte = vic.isPutOff ? vic.floatingByteIn(this.#askedCycle) : vic.lastByte
    if (byte !== undefined) return byte
    this.settle()
    return vic.lastByte
  }

  /** Whether the VIC-II may still read that address in the line that is put off. */
  mayReadLater(address: number): boolean {
    return this.#vic.isPutOff && this.#vic.mayRead(address)
  }

  mayReadColorLater(cell: number): boolean {
    return this.#vic.isPutOff && this.#vic.mayReadColor(cell)
  }

  /**
   * The next cycle in which the VIC-II may by itself do what the CPU or a caller notices: take the bus, interrupt, end
   * a picture.
   */
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

  /** Whether the VIC-II needs the bus in the cycle of the last {@link advance} or one of the next three. */
  get holdsBus(): boolean {
    const vic = this.#vic
    return vic.isPutOff ? vic.holdsBusIn(this.#askedCycle) : vic.busTaken
  }

  /** While the VIC-II needs the bus: the cycle in which it may let go, or up to which a line is put off. */
  get busFreeAt(): number {
    const vic = this.#vic
    return vic.isPutOff ? this.now - LINE_BEGUN + vic.nextCycleWith(false, this.#askedCycle) : this.now + 1
  }

  picture(): Picture {
    return { width: PICTURE_WIDTH, height: pictureHeight(this.#standard), pixels: packPixels(this.#pixels) }
  }

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
