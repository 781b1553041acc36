import type { FrameDelivery } from '@shared/contract/frames'
import type { Picture, Register, Space } from '@shared/contract/memory'
import { ChangeClock } from './changeClock'
import { FrameCounts, RATE_WINDOW_MS } from './frameCounts'
import { FrameWishes, type FrameWish } from './frameWishes'
import { AccessTimes } from './accessTimes'
import { SpaceImages } from './spaceImages'

/** Immutable, for React; renewed at most ten times a second. */
export interface FrameSummary {
  readonly machine: string | null
  readonly epoch: number
  readonly seq: number
  /** When the machine was read, ms since 1970; 0 before the first frame. */
  readonly time: number
  /** When the last frame arrived, on the clock of `performance.now()`. */
  readonly arrivedAt: number
  readonly shown: number
  /** Frames that the bridge superseded before they could be sent. */
  readonly dropped: number
  /** Frames that arrived, but were overtaken by the next one before the window painted. */
  readonly superseded: number
  readonly paintRate: number
}

type Unsubscribe = () => void
type Draw = (now: number) => void

const SUMMARY_INTERVAL_MS = 100
/** Colours of changes fade in steps of this length; finer steps would look the same. */
const FADE_STEP_MS = 60
const emptySummary: FrameSummary = {
  machine: null,
  epoch: 0,
  seq: 0,
  time: 0,
  arrivedAt: 0,
  shown: 0,
  dropped: 0,
  superseded: 0,
  paintRate: 0,
}

/**
 * The newest moment of the machine in front, as mutable typed arrays. Views never copy it into React state: they
 * register a draw function, and one animation frame runs all of them when there is something new.
 */
export class FrameStore {
  readonly #images = new SpaceImages()
  readonly #wishes = new FrameWishes()
  readonly #counts = new FrameCounts()
  readonly #draws = new Set<Draw>()
  readonly #summaryListeners = new Set<() => void>()
  readonly #requestFrame: (draw: Draw) => void
  readonly #clock: () => number
  readonly #changeClock: ChangeClock
  #machine: string | null = null
  #epoch = -1
  #seq = 0
  #time = 0
  #arrivedAt = 0
  readonly #accesses = new AccessTimes()
  #registers: readonly Register[] = []
  #picture: Picture | null = null
  #pictureIsNew = false
  #scheduled = false
  #summary = emptySummary
  #summaryAt = -Infinity
  #summaryTimer: ReturnType<typeof setTimeout> | undefined
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  #fadeTimer: ReturnType<typeof setTimeout> | undefined

  /** Tests replace `requestFrame` and `clock`. Both speak ms of `performance.now()`. */
  constructor(
    requestFrame: (draw: Draw) => void = (draw) => void requestAnimationFrame(draw),
    clock: () => number = () => performance.now(),
  ) {
    this.#requestFrame = requestFrame
    this.#clock = clock
    this.#changeClock = new ChangeClock(clock)
  }

  get machine(): string | null {
    return this.#machine
  }

  get epoch(): number {
    return this.#epoch
  }

  get seq(): number {
    return this.#seq
  }

  /** When the machine was read, ms since 1970. */
  get time(): number {
    return this.#time
  }

  get registers(): readonly Register[] {
    return this.#registers
  }

  get picture(): Picture | null {
    return this.#picture
  }

  get pictureIsNew(): boolean {
    return this.#pictureIsNew
  }

  /** 65,536 bytes, indexed by address; zero where nothing has arrived. The same array until {@link clear}. */
  image(space: Space): Uint8Array {
    return this.#images.of(space).bytes
  }

  /** For each address, when its byte was last seen to change, on the clock of {@link changeTime}; -Infinity for never. */
  changedAt(space: Space): Float64Array {
    return this.#images.of(space).changedAt
  }

  get changeTime(): number {
    return this.#changeClock.now
  }

  standStill(stands: boolean): void {
    if (stands === this.#changeClock.stands) return
    this.#changeClock.standStill(stands)
    this.requestDraw()
  }

  get stands(): boolean {
    return this.#changeClock.stands
  }

  get accesses(): AccessTimes {
    return this.#accesses
  }

  /** Within a draw: one byte per 256-byte page, 1 where bytes changed since the draw before. */
  dirtyPages(space: Space): Uint8Array {
    return this.#images.of(space).dirtyPages
  }

  known(space: Space): boolean {
    return this.#images.known(space)
  }

  apply({ frame, sameAsRam, dropped }: FrameDelivery): void {
    if (frame.machine !== this.#machine || frame.epoch !== this.#epoch) this.#begin(frame.machine, frame.epoch)
    const { registers = this.#registers } = frame
    this.#changeClock.tick(programCounter(registers) !== programCounter(this.#registers))
    const changed = this.changeTime
    this.#images.merge(frame.segments, sameAsRam, changed)
    this.#registers = registers
    if (frame.accesses) this.#accesses.add(frame.accesses, changed)
    if (frame.picture) {
      this.#picture = frame.picture
      this.#pictureIsNew = true
    }
    this.#seq = frame.seq
    this.#time = frame.time
    this.#arrivedAt = this.#clock()
    this.#counts.arrive(dropped)
    this.requestDraw()
    this.#touchSummary()
  }

  /** Another machine comes to the front: nothing of the earlier one may be seen. */
  clear(): void {
    this.#begin(null, -1)
    this.#counts.clear()
    this.requestDraw()
    this.#touchSummary()
  }

  /**
   * Called in each animation frame that has new data or was asked for.
   * @param draw gets `performance.now()`
   */
  onDraw(draw: Draw): Unsubscribe {
    this.#draws.add(draw)
    this.requestDraw()
    return () => void this.#draws.delete(draw)
  }

  requestDraw(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#requestFrame((now) => this.#drawAll(now))
  }

  requestFade(): void {
    if (this.#changeClock.stands || this.#fadeTimer !== undefined) return
    this.#fadeTimer = setTimeout(() => {
      this.#fadeTimer = undefined
      this.requestDraw()
    }, FADE_STEP_MS)
  }

  want(wish: FrameWish): Unsubscribe {
    return this.#wishes.add(wish)
  }

  get wish(): FrameWish {
    return this.#wishes.union
  }

  onWish(listener: () => void): Unsubscribe {
    return this.#wishes.subscribe(listener)
  }

  readonly summary = (): FrameSummary => this.#summary

  readonly onSummary = (listener: () => void): Unsubscribe => {
    this.#summaryListeners.add(listener)
    return () => void this.#summaryListeners.delete(listener)
  }

  #begin(machine: string | null, epoch: number): void {
    this.#machine = machine
    this.#epoch = epoch
    this.#seq = 0
    this.#time = 0
    this.#registers = []
    this.#accesses.clear()
    this.#picture = null
    this.#pictureIsNew = true
    this.#counts.restartRate()
    this.#images.clear()
  }

  #drawAll(now: number): void {
    this.#scheduled = false
    this.#counts.paint(now)
    for (const draw of this.#draws) {
      try {
        draw(now)
      } catch (error) {
        // The other views are still drawn; the window hears of the error.
        globalThis.reportError(error)
      }
    }
    this.#pictureIsNew = false
    this.#images.markClean()
  }

  #touchSummary(): void {
    if (this.#summaryTimer !== undefined) return
    const wait = this.#summaryAt + SUMMARY_INTERVAL_MS - this.#clock()
    if (wait <= 0) this.#renewSummary()
    else this.#summaryTimer = setTimeout(() => this.#renewSummary(), wait)
  }

  #renewSummary(): void {
    this.#summaryTimer = undefined
    this.#summaryAt = this.#clock()
    const paintRate = this.#counts.paintRate(this.#summaryAt)
    clearTimeout(this.#idleTimer)
    if (paintRate > 0) this.#idleTimer = setTimeout(() => this.#renewSummary(), RATE_WINDOW_MS + SUMMARY_INTERVAL_MS)
    this.#summary = {
      machine: this.#machine,
      epoch: this.#epoch,
      seq: this.#seq,
      time: this.#time,
      arrivedAt: this.#arrivedAt,
      shown: this.#counts.shown,
      dropped: this.#counts.dropped,
      superseded: this.#counts.superseded,
      paintRate,
    }
    for (const listener of this.#summaryListeners) listener()
  }
}

const programCounter = (registers: readonly Register[]): number | undefined =>
  registers.find(({ name }) => name === 'PC')?.value
