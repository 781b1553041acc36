import type { SlowMotion } from '@shared/contract/machine'
import { framePeriod, timings, type C64 } from './c64'
import { Pacer, SpeedMeter } from './pacing'
import type { Sampling } from './sampling'

/** ms: run time between checks for messages, in real time and in warp, and the sample period in warp. */
const PACED_SLICE = 50
const WARP_SLICE = 4
const WARP_SAMPLE = 20
/** Shortest ms between turns in slow motion. */
const SLOW_TURN = 20

interface Slow extends SlowMotion {
  readonly pacer: Pacer
}

export interface TurningMachine {
  readonly c64: () => C64
  readonly isRunning: () => boolean
  readonly runFrame: () => boolean
  readonly runUnit: (unit: SlowMotion['unit']) => boolean
}

export class Turns {
  readonly #machine: TurningMachine
  readonly #sampling: Sampling
  #slow: Slow | undefined
  #warp = false
  #pacer: Pacer | undefined
  #cancel = (): void => undefined
  readonly #meter = new SpeedMeter()

  constructor(machine: TurningMachine, sampling: Sampling) {
    this.#machine = machine
    this.#sampling = sampling
  }

  get warp(): boolean {
    return this.#warp
  }

  get slow(): SlowMotion | null {
    return this.#slow ? { unit: this.#slow.unit, perSecond: this.#slow.perSecond } : null
  }

  setWarp(warp: boolean): void {
    this.#warp = warp
    this.#pacer = undefined
    this.restartMeasure()
  }

  slowDown(slow: SlowMotion): void {
    this.#slow = { ...slow, pacer: new Pacer(1000 / slow.perSecond, performance.now()) }
  }

  endSlowMotion(): void {
    this.#slow = undefined
    this.#pacer = undefined
  }

  halt(): void {
    this.#cancel()
    this.#pacer = undefined
  }

  next(): void {
    this.#cancel()
    if (!this.#machine.isRunning()) return
    const slow = this.#slow
    if (slow) {
      const turn = setTimeout(() => this.#slowTurn(slow), Math.max(SLOW_TURN, slow.pacer.delay(performance.now())))
      this.#cancel = () => clearTimeout(turn)
      return
    }
    if (this.#warp) {
      const turn = setImmediate(() => this.#warpTurn())
      this.#cancel = () => clearImmediate(turn)
      return
    }
    this.#pacer ??= new Pacer(framePeriod(this.#machine.c64().standard), performance.now())
    const turn = setTimeout(() => this.#pacedTurn(), this.#pacer.delay(performance.now()))
    this.#cancel = () => clearTimeout(turn)
  }

  restartMeasure(): void {
    this.#meter.restart(performance.now(), this.#machine.c64().clock)
  }

  /** The speed since the last call; real time is 1. */
  measure(): number | null {
    return this.#meter.measure(timings[this.#machine.c64().standard].clockRate)
  }

  #pacedTurn(): void {
    const pacer = this.#pacer
    const end = performance.now() + PACED_SLICE
    const frames = pacer?.due(performance.now()) ?? 0
    let run = 0
    while (run < frames && (run === 0 || performance.now() < end) && this.#machine.runFrame()) {
      run++
      this.#sample()
    }
    pacer?.defer(frames - run)
    if (frames > 0) this.#note()
    this.next()
  }

  #slowTurn({ unit, pacer }: Slow): void {
    let due = pacer.due(performance.now())
    while (due > 0 && this.#machine.runUnit(unit)) due--
    this.#sample()
    this.#note()
    this.next()
  }

  #warpTurn(): void {
    const end = performance.now() + WARP_SLICE
    while (performance.now() < end && this.#machine.runFrame());
    this.#note()
    if (performance.now() - this.#sampling.last >= WARP_SAMPLE) this.#sample()
    this.next()
  }

  #sample(): void {
    this.#sampling.takeDue(this.#machine.c64())
  }

  #note(): void {
    this.#meter.note(performance.now(), this.#machine.c64().clock)
  }
}
