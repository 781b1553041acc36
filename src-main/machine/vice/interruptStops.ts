import { locationOf, spaceRead } from '@shared/c64/banking'
import { InterruptTimeline } from '@shared/c64/profile/interruptTimeline'
import type { Interrupts } from '@shared/contract/running'
import type { RasterSize } from './raster'

export interface StopPlace {
  readonly pc: number
  readonly sp: number
  readonly flags: number
  readonly line: number
  readonly cycle: number
  readonly pins: number
}

interface EntryBytes {
  readonly stack: Uint8Array
  readonly vector: number
}

/** Cycles of the interrupt sequence, without those in which the VIC-II holds the bus. */
const ENTRY_CYCLES = 7
const BREAK = 0x10
const UNUSED = 0x20
const NO_INTERRUPTS = 0x04
/** The flags that taking an interrupt does not change: N, V, D, Z, C. */
const KEPT_FLAGS = 0xcb

export class InterruptStops {
  readonly #raster: RasterSize
  readonly #frames: number
  readonly #timeline = new InterruptTimeline()
  /** Cycles since the first line of the first frame; null before that. */
  #clock: number | null = null
  #position = 0

  constructor(raster: RasterSize, frames: number) {
    this.#raster = raster
    this.#frames = frames
  }

  get endsAt(): number | null {
    return this.#timeline.present?.sp ?? null
  }

  get isDone(): boolean {
    const { cyclesPerLine, linesPerFrame } = this.#raster
    return (this.#clock ?? 0) >= this.#frames * cyclesPerLine * linesPerFrame
  }

  get hasBegun(): boolean {
    return this.#clock !== null
  }

  frame(place: StopPlace): void {
    if (this.#clock !== null) {
      this.ran(place)
      return
    }
    this.#position = this.#positionOf(place)
    this.#clock = this.#position
  }

  /** It stopped for no interrupt, or where one has ended. Each stop comes less than a frame after the one before. */
  ran(place: StopPlace): void {
    const cycles = this.#pass(place)
    if (this.#clock !== null) this.#timeline.ran(cycles, place.sp, this.#clock)
  }

  /** The read of a vector means an interrupt, a BRK, or a program that read it. */
  vectorRead(kind: 'irq' | 'nmi', place: StopPlace, bytes: EntryBytes): void {
    const cycles = this.#pass(place)
    if (this.#clock === null) return
    const start = this.#clock - ENTRY_CYCLES
    if (start < 0 || !tookInterrupt(place, bytes)) {
      this.#timeline.ran(cycles, place.sp, this.#clock)
      return
    }
    const spBefore = stackBefore(place)
    // Negative where it stopped for something else at the same instruction, which has counted the entry.
    this.#timeline.ran(cycles - ENTRY_CYCLES, spBefore, start)
    this.#timeline.enter({ kind, entry: seenAt(place, place.pc), start, waited: null }, spBefore)
    this.#timeline.ran(ENTRY_CYCLES, place.sp, this.#clock)
  }

  jumped(place: StopPlace, pointer: number): void {
    this.ran(place)
    const entry = this.#timeline.present?.entry
    if (entry !== undefined && place.pc === pointer) this.#timeline.jumped(entry, seenAt(place, pointer))
  }

  get result(): Interrupts {
    const { isCut, spans } = this.#timeline
    return { cycles: this.#clock ?? 0, ...this.#raster, isCut, spans }
  }

  #pass(place: StopPlace): number {
    if (this.#clock === null) return 0
    const { cyclesPerLine, linesPerFrame } = this.#raster
    const period = cyclesPerLine * linesPerFrame
    const position = this.#positionOf(place)
    const cycles = (position - this.#position + period) % period
    this.#position = position
    this.#clock += cycles
    return cycles
  }

  #positionOf({ line, cycle }: StopPlace): number {
    return line * this.#raster.cyclesPerLine + cycle
  }
}

const seenAt = ({ pins }: StopPlace, address: number): number => locationOf(spaceRead(pins, address), address)

export const stackBefore = ({ sp }: Pick<StopPlace, 'sp'>): number => (sp + 3) & 0xff

function tookInterrupt({ pc, sp, flags }: StopPlace, { stack, vector }: EntryBytes): boolean {
  const pushed = stack[(sp + 1) & 0xff] ?? 0
  return (
    pc === vector &&
    (flags & NO_INTERRUPTS) !== 0 &&
    (pushed & BREAK) === 0 &&
    (pushed & UNUSED) !== 0 &&
    ((pushed ^ flags) & KEPT_FLAGS) === 0
  )
}
