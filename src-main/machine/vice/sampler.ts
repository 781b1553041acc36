/** Takes samples of a running VICE: freely at a rate, or one after each frame that it lets VICE make. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Segment } from '@shared/contract/frames'
import type { VideoStandard } from '@shared/contract/machine'
import { noSamples, type Sample, type SampleRequest } from '../machine'
import type { Send } from './client'
import { readRegisters } from './commands'
import type { Session } from './session'

/** Frames per second: clock / (cycles a line x lines). */
const frameRate: Record<VideoStandard, number> = { pal: 985_248 / (63 * 312), ntsc: 1_022_730 / (65 * 263) }

const LOCK_STEP_SPEED = 1_000
/** VICE 3.6 and later have no resource for their own warp; more than any computer reaches is as fast. */
const WARP_SPEED = 100_000

/** How far lock-step may fall behind its schedule before it gives up on the frames it missed, ms. */
const MOST_LATE = 500

/** Speed is measured over this time, ms. */
const WINDOW = 1_000

/** The KERNAL's jiffy clock: 24 bits, most significant byte first, 60 a second on PAL and NTSC. */
const JIFFY_CLOCK = 0xa0
const JIFFIES_PER_SECOND = 60

const romRanges = [
  [0xa000, 0x2000],
  [0xd000, 0x1000],
  [0xe000, 0x2000],
] as const

const wantsSomething = ({ spaces, picture }: SampleRequest): boolean => spaces.length > 0 || picture

export class Sampler {
  readonly #session: Session
  readonly #on: { sample: (sample: Sample) => void; failure: (message: string) => void }
  #request = noSamples
  #abort = new AbortController()
  #loop: Promise<void> = Promise.resolve()
  /** ROM does not change: it is read once, and is in each sample, as any of them may be the one that is shown. */
  #rom: Segment[] | undefined
  readonly #clock = new SpeedMeter()
  #cost = new CostMeter()
  #warp = false
  #changes: Promise<void> = Promise.resolve()

  constructor(session: Session, on: { sample: (sample: Sample) => void; failure: (message: string) => void }) {
    this.#session = session
    this.#on = on
  }

  /** Emulated time per real time; null while nothing tells it. */
  get speed(): number | null {
    return this.#session.execution === 'running' && this.#request.mode !== 'off' ? this.#clock.speed : null
  }

  get warp(): boolean {
    return this.#warp
  }

  /** In lock-step, warp makes frames as fast as VICE can. */
  async setWarp(warp: boolean, signal: AbortSignal): Promise<void> {
    await this.#applySpeed(warp, this.#isLockStep, signal)
    this.#warp = warp
  }

  /** Changes are made one after the other. */
  set(request: SampleRequest): Promise<void> {
    this.#changes = this.#changes.then(() => this.#change(request))
    return this.#changes
  }

  async #change(request: SampleRequest): Promise<void> {
    await this.stop()
    this.#request = request
    this.#abort = new AbortController()
    const { signal } = this.#abort
    await this.#attempt(() => this.#applySpeed(this.#warp, this.#isLockStep, signal))
    if (!wantsSomething(request)) return
    const isMoving = request.mode !== 'off' && this.#session.execution === 'running'
    if (!isMoving) await this.once()
    if (request.mode === 'off') return
    this.#loop = request.mode === 'free' ? this.#runFreely(request.rate, signal) : this.#runInLockStep(signal)
  }

  get #isLockStep(): boolean {
    return this.#request.mode === 'lockStep' && wantsSomething(this.#request)
  }

  /**
   * VICE's speed limit, percent of the real machine. Lock-step makes its own pace and needs each frame made well within
   * its time; at VICE's own 100 % it reaches only 41 to 46 frames a second.
   */
  async #applySpeed(warp: boolean, lockStep: boolean, signal: AbortSignal): Promise<void> {
    if (warp) await this.#session.borrow('Speed', WARP_SPEED, signal)
    else if (lockStep) await this.#session.borrow('Speed', LOCK_STEP_SPEED, signal)
    else await this.#session.giveBack('Speed', signal)
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#loop
    this.#clock.restart()
    this.#cost = new CostMeter()
  }

  /** One sample now, for a machine that stands still: after a stop, a step, a write. */
  async once(): Promise<void> {
    if (!wantsSomething(this.#request)) return
    await this.#attempt(async () => {
      this.#deliver(await this.#session.command((send) => this.#ask(send), this.#abort.signal))
    })
  }

  async #runFreely(rate: number, signal: AbortSignal): Promise<void> {
    let due = performance.now()
    while (!signal.aborted) {
      if (this.#session.execution === 'running') {
        await this.#attempt(async () => {
          const answers = await this.#session.command((send) => this.#ask(send), signal)
          this.#clock.jiffies(answers.jiffies)
          this.#deliver(answers, this.#cost.take(this.#session.stoppedTime))
        })
      }
      due = Math.max(due + 1_000 / rate, performance.now())
      await pause(due - performance.now(), signal)
    }
  }

  async #runInLockStep(signal: AbortSignal): Promise<void> {
    let due = performance.now()
    await this.#attempt(() => this.#session.setLockStep(true))
    while (!signal.aborted) {
      const rate = frameRate[this.#session.standard ?? 'pal']
      await this.#attempt(async () => {
        const answers = await this.#session.frame((send) => this.#ask(send), signal)
        if (!answers) return
        this.#clock.frame(rate)
        this.#deliver(answers)
      })
      const now = performance.now()
      due += 1_000 / rate
      if (due < now - MOST_LATE || (this.#warp && this.#session.execution === 'running')) due = now
      await pause(due - now, signal)
    }
    await this.#attempt(() => this.#session.setLockStep(false))
  }

  /** Silence, loss and cancelling show elsewhere; anything else would come again with each sample, so it ends sampling. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (error instanceof AppError && ['TIMEOUT', 'LOST', 'CANCELLED'].includes(error.code)) return
      this.#abort.abort()
      this.#on.failure(toFailure(error).message)
    }
  }

  async #ask(send: Send): Promise<Answers> {
    const session = this.#session
    const { spaces, picture } = this.#request
    const memory = (['cpu', 'ram'] as const)
      .filter((space) => spaces.includes(space))
      .map(async (space) => ({ space, address: 0, bytes: await session.read(send, space, 0, 0x10000) }))
    const io = spaces.includes('io') ? [session.read(send, 'io', 0xd000, 0x1000)] : []
    const colorRam = spaces.includes('colorRam') ? [session.read(send, 'colorRam', 0xd800, 0x400)] : []
    const rom =
      spaces.includes('rom') && !this.#rom
        ? romRanges.map(async ([address, length]) => ({
            space: 'rom' as const,
            address,
            bytes: await session.read(send, 'rom', address, length),
          }))
        : []
    const [clock, registers, shown, ...others] = await Promise.all([
      session.read(send, 'ram', JIFFY_CLOCK, 3),
      send(readRegisters()),
      picture ? session.picture(send) : undefined,
      Promise.all(memory),
      Promise.all(io),
      Promise.all(colorRam),
      Promise.all(rom),
    ])
    const [memorySegments, ioBytes, colorBytes, romSegments] = others
    if (romSegments.length > 0) this.#rom = romSegments
    const [high = 0, middle = 0, low = 0] = clock
    return {
      jiffies: (high << 16) | (middle << 8) | low,
      sample: {
        time: performance.timeOrigin + performance.now(),
        segments: [
          ...memorySegments,
          ...ioBytes.map((bytes) => ({ space: 'io' as const, address: 0xd000, bytes })),
          ...colorBytes.map((bytes) => ({ space: 'colorRam' as const, address: 0xd800, bytes })),
          ...(spaces.includes('rom') ? (this.#rom ?? []) : []),
        ],
        registers: session.nameValues(registers),
        ...(shown ? { picture: shown } : {}),
      },
    }
  }

  #deliver({ sample }: Answers, cost?: number): void {
    this.#on.sample(cost === undefined ? sample : { ...sample, cost })
  }
}

interface Answers {
  readonly jiffies: number
  readonly sample: Sample
}

/** Emulated time per real time over the last second. */
class SpeedMeter {
  /** Emulated seconds passed at moments of real time, ms. */
  #points: { at: number; passed: number }[] = []
  #lastJiffies: number | undefined

  restart(): void {
    this.#points = []
    this.#lastJiffies = undefined
  }

  frame(rate: number): void {
    this.#pass(1 / rate)
  }

  /** A program that uses the clock's bytes for something else makes them jump, and then the speed is unknown. */
  jiffies(now: number): void {
    const passed = this.#lastJiffies === undefined ? 0 : (now - this.#lastJiffies) / JIFFIES_PER_SECOND
    const realTime = this.#points.length === 0 ? 0 : (performance.now() - (this.#points.at(-1)?.at ?? 0)) / 1_000
    if (passed < 0 || passed > realTime * 50 + 1) this.#points = []
    this.#lastJiffies = now
    this.#pass(Math.max(passed, 0))
  }

  get speed(): number | null {
    const first = this.#points[0]
    const last = this.#points.at(-1)
    if (!first || !last || last.at - first.at < WINDOW / 2) return null
    const passed = last.passed - first.passed
    return passed === 0 ? null : (passed * 1_000) / (last.at - first.at)
  }

  #pass(seconds: number): void {
    const at = performance.now()
    this.#points.push({ at, passed: (this.#points.at(-1)?.passed ?? 0) + seconds })
    while ((this.#points[0]?.at ?? at) < at - WINDOW) this.#points.shift()
  }
}

/** The share of time for which the monitor held the machine since the last sample. */
class CostMeter {
  #at: number | undefined
  #stopped = 0

  take(stoppedTime: number): number | undefined {
    const at = performance.now()
    const passed = this.#at === undefined ? 0 : at - this.#at
    const cost = passed > 0 ? Math.min(1, (stoppedTime - this.#stopped) / passed) : undefined
    this.#at = at
    this.#stopped = stoppedTime
    return cost
  }
}

async function pause(time: number, signal: AbortSignal): Promise<void> {
  if (time <= 0) return
  await sleep(time, undefined, { signal }).catch(() => undefined)
}
