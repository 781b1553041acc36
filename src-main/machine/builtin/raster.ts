/** The VIC-II on the machine's clock, and the picture that it draws. */
import { PICTURE_WIDTH, firstRasterLine, packPixels, pictureHeight, unpackPixels } from '@shared/c64/picture'
import { cyclesPerLine, rasterOf, renderPicture, type VideoMemory } from '@shared/c64/vicii'
import type { VideoStandard } from '@shared/contract/machine'
import type { Picture } from '@shared/contract/memory'
import { BACKGROUND_IRQ, SPRITE_IRQ } from './vicCycle'
import { powerOnVic, type VicII } from './vicii'

export const cyclesPerFrame = (standard: VideoStandard): number => cyclesPerLine[standard] * rasterOf[standard].lines

/** The first cycle of a line in which a bad line may take the bus. */
const MATRIX_BA_CYCLE = 11
/** The interrupts of collisions, which can come in any cycle. */
const COLLISIONS = BACKGROUND_IRQ | SPRITE_IRQ

export class Raster {
  /** The last cycle that the VIC-II has done. */
  now = 0
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
    this.#beginLine()
  }

  /** The VIC-II has done all cycles up to and with `now` afterwards. */
  advance(now: number): void {
    const vic = this.#vic
    while (this.now < now) {
      this.now++
      vic.tick()
      if (vic.raster !== this.#line) this.#beginLine()
      if (vic.raster === this.#lastLine && vic.cycle === vic.timing.cycles - 1) this.frames++
    }
  }

  /** The next cycle in which the VIC-II may do by itself what the CPU or a caller notices: take the bus, interrupt, end a picture. */
  get nextEvent(): number {
    const vic = this.#vic
    const { cycle } = vic
    const { cycles, spritesStart } = vic.timing
    const soon = this.now + 1
    if (vic.busTaken || vic.isTouched || cycle === 0 || ((vic.registers[0x1a] ?? 0) & COLLISIONS) !== 0) return soon
    if (cycle >= MATRIX_BA_CYCLE && cycle < spritesStart) return this.now + spritesStart - cycle
    if (cycle === spritesStart || vic.spriteDma !== 0) return soon
    if (cycle < MATRIX_BA_CYCLE) return this.now + MATRIX_BA_CYCLE - cycle
    const end = vic.raster === this.#lastLine && cycle < cycles - 1 ? cycles - 1 : cycles
    return this.now + end - cycle
  }

  /** Whether the VIC-II needs the bus in the cycle `now`, or in one of the next three. */
  get holdsBus(): boolean {
    return this.#vic.busTaken
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
