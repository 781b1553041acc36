/**
 * The VIC-II in time, a raster line in four steps: which cycles it takes from the CPU, when it draws, when a picture is
 * finished. Cycles of a line are counted from 0, the cycle in which $D012 changes.
 */
import { PICTURE_WIDTH, firstRasterLine, packPixels, pictureHeight, unpackPixels } from '@shared/c64/picture'
import { cyclesPerLine, lineCycles, rasterOf, renderPicture, type VideoMemory } from '@shared/c64/vicii'
import type { VideoStandard } from '@shared/contract/machine'
import type { Picture } from '@shared/contract/memory'
import { z } from 'zod'
import type { VicII } from './vicii'

export const cyclesPerFrame = (standard: VideoStandard): number => cyclesPerLine[standard] * rasterOf[standard].lines

/** How long the video matrix keeps the CPU from reading. */
const MATRIX_CYCLES = 43
/** Cycles from the start of the sprites' bus time to the end of sprite 7's bus time. */
const SPRITES_CYCLES = 19

/** In line 0, $D012 and the raster interrupt come a cycle later than in the others (measured in x64sc). */
const LAST_LINE_DELAY = 1
const LAST_PHASE = 3

export const rasterSchema = z.strictObject({
  /** The clock at the start of the present line. */
  lineStart: z.int().min(0),
  /** The clock at which the video matrix of a bad line is fetched. */
  matrixEnd: z.int().min(0),
  /** The clock at which sprite 0's bus time starts or started last, and the sprites that are fetched, one bit each. */
  spritesStart: z.int().min(0),
  sprites: z.int().min(0).max(255),
})
export type RasterState = z.infer<typeof rasterSchema>

export class Raster {
  state: RasterState = { lineStart: 0, matrixEnd: 0, spritesStart: 0, sprites: 0 }
  /** Pictures finished since the machine was made. */
  frames = 0
  readonly #vic: VicII
  readonly #standard: VideoStandard
  readonly #memory: VideoMemory
  readonly #cyclesPerLine: number
  /** When each phase of a line ends, in cycles of the line. */
  readonly #phaseEnds: readonly [number, number, number, number]
  readonly #pixels: Uint8Array
  /** For each raster line where it is drawn; lines outside the picture share one that nobody sees. */
  readonly #lines: readonly Uint8Array[]
  /** The raster line with which a new picture begins. */
  readonly #frameLine: number

  constructor(vic: VicII, standard: VideoStandard, memory: VideoMemory) {
    this.#vic = vic
    this.#standard = standard
    this.#memory = memory
    const cycles = cyclesPerLine[standard]
    this.#cyclesPerLine = cycles
    this.#phaseEnds = [lineCycles.matrix, lineCycles.draw, lineCycles.sprites[standard], cycles]
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
    this.#frameLine = (first + height) % lines
  }

  /** The chip has no reset line: this is what switching on does, at the cycle `now`. */
  powerOn(now: number): void {
    this.#vic.powerOn()
    this.state = { lineStart: now, matrixEnd: 0, spritesStart: 0, sprites: 0 }
    this.#pixels.fill(0)
  }

  /** The clock at which the present phase of the line ends. */
  get nextEvent(): number {
    const { phase, raster } = this.#vic
    const end = this.state.lineStart + (this.#phaseEnds[phase] ?? 0)
    return phase === LAST_PHASE && raster === this.#lines.length - 1 ? end + LAST_LINE_DELAY : end
  }

  /** The clock until which the CPU may have to wait. */
  get busyUntil(): number {
    const { matrixEnd, spritesStart, sprites } = this.state
    return sprites === 0 ? matrixEnd : Math.max(matrixEnd, spritesStart + SPRITES_CYCLES)
  }

  /** Whether the VIC-II needs the bus in the cycle `now`, or in one of the next three. */
  holdsBus(now: number): boolean {
    const { matrixEnd, spritesStart, sprites } = this.state
    if (now < matrixEnd) return true
    const cycle = now - spritesStart
    return cycle < SPRITES_CYCLES && (((spriteCycles[sprites] ?? 0) >> cycle) & 1) === 1
  }

  advance(now: number): void {
    while (now >= this.nextEvent) this.#endPhase()
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

  #endPhase(): void {
    const vic = this.#vic
    const { video, registers, raster } = vic
    const { state } = this
    switch (vic.phase) {
      case 0:
        vic.badLine = video.beginLine(raster, registers, this.#memory)
        vic.phase = 1
        if (vic.badLine) state.matrixEnd = state.lineStart + lineCycles.matrix + MATRIX_CYCLES
        return
      case 1:
        this.#drawLine()
        vic.phase = 2
        return
      case 2:
        state.sprites = video.endLine(raster, registers, this.#memory, vic.badLine)
        state.spritesStart = state.lineStart + lineCycles.sprites[this.#standard]
        vic.phase = 3
        return
      default:
        state.lineStart += this.#cyclesPerLine
        vic.nextLine()
        if (vic.raster === this.#frameLine) this.frames++
    }
  }

  #drawLine(): void {
    const { video, raster, registers } = this.#vic
    const line = this.#lines[raster]
    if (!line) throw new RangeError(`there is no raster line ${raster}`)
    const { spriteCollisions, backgroundCollisions } = video
    video.drawLine(raster, registers, this.#memory, line)
    this.#vic.noteCollisions(spriteCollisions, backgroundCollisions)
  }
}

/**
 * For each set of sprites, one bit each, the cycles in which RDY is low, bit 0 the first: two in which a sprite is
 * fetched, and the three before, in which the CPU may finish writing but not read.
 */
const spriteCycles = Uint32Array.from({ length: 256 }, (_, sprites) => {
  let cycles = 0
  for (let sprite = 0; sprite < 8; sprite++) if ((sprites & (1 << sprite)) !== 0) cycles |= 0x1f << (2 * sprite)
  return cycles
})
