import { setTimeout as sleep } from 'node:timers/promises'
import { framesPerSecond } from '@shared/c64/frameRate'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Segment } from '@shared/contract/frames'
import { SerialQueue } from '@shared/serialQueue'
import { noSamples, type Sample, type SampleRequest } from '../machine'
import type { Send } from './client'
import { readRegisters } from './commands'
import type { Session } from './session'

/** Percent of the real machine. */
const LOCK_STEP_SPEED = 1_000
/** Above any real speed: VICE 3.6 and later have no resource for warp. */
const WARP_SPEED = 100_000

/** When lock-step is further behind its schedule, it skips the missed frames. */
const MAX_LAG_MS = 500

const SPEED_WINDOW_MS = 1_000

/** The KERNAL's jiffy clock: 24 bits, most significant byte first, 60 per second on PAL and NTSC. */
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
  /** Read once, as ROM does not change; part of every sample, as any ROM may be the one that is shown. */
  #rom: Segment[] | undefined
  readonly #speed = new SpeedMeter()
  #cost = new CostMeter()
  #warp = false
  readonly #changes = new SerialQueue()

  constructor(session: Session, on: { sample: (sample: Sample) => void; failure: (message: string) => void }) {
    this.#session = session
    this.#on = on
  }

  get speed(): number | null {
    return this.#session.execution === 'running' && this.#request.mode !== 'off' ? this.#speed.speed : null
  }

  get warp(): boolean {
    return this.#warp
  }

  /** In lock-step, warp runs frames as fast as VICE can. */
  async setWarp(warp: boolean, signal: AbortSignal): Promise<void> {
    await this.#applySpeed(warp, this.#isLockStep, signal)
    this.#warp = warp
  }

  set(request: SampleRequest): Promise<void> {
    return this.#changes.run(() => this.#change(request))
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
   * Lock-step paces the frames itself, so VICE must be faster than real time: a speed limit of 100 % reached only 41 to
   * 46 frames per second.
   */
  async #applySpeed(warp: boolean, lockStep: boolean, signal: AbortSignal): Promise<void> {
    if (warp) await this.#session.borrow('Speed', WARP_SPEED, signal)
    else if (lockStep) await this.#session.borrow('Speed', LOCK_STEP_SPEED, signal)
    else await this.#session.giveBack('Speed', signal)
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#loop
    this.#speed.restart()
    this.#cost = new CostMeter()
  }

  async once(): Promise<void> {
    if (!wantsSomething(this.#request)) return
    await this.#attempt(async () => {
      await this.#session.runControl.untilLate(this.#abort.signal)
      this.#deliver(await this.#session.command((send) => this.#read(send), this.#abort.signal))
    })
  }

  async #runFreely(rate: number, signal: AbortSignal): Promise<void> {
    let due = performance.now()
    while (!signal.aborted) {
      await this.#attempt(() => this.#session.runControl.untilLate(signal))
      if (this.#session.execution === 'running') {
        await this.#attempt(async () => {
          const reading = await this.#session.command((send) => this.#read(send), signal)
          this.#speed.addJiffies(reading.jiffies)
          this.#deliver(reading, this.#cost.take(this.#session.runControl.stoppedTime))
        })
      }
      due = Math.max(due + 1_000 / rate, performance.now())
      await pause(due - performance.now(), signal)
    }
  }

  async #runInLockStep(signal: AbortSignal): Promise<void> {
    let due = performance.now()
    await this.#attempt(() => this.#session.runControl.setLockStep(true))
    while (!signal.aborted) {
      const rate = framesPerSecond[this.#session.standard ?? 'pal']
      await this.#attempt(async () => {
        const reading = await this.#session.runControl.frame((send) => this.#read(send), signal)
        if (!reading) return
        this.#speed.addFrame(rate)
        this.#deliver(reading)
      })
      const now = performance.now()
      due += 1_000 / rate
      if (due < now - MAX_LAG_MS || (this.#warp && this.#session.execution === 'running')) due = now
      await pause(due - now, signal)
    }
    await this.#attempt(() => this.#session.runControl.setLockStep(false))
  }

  /** Ends sampling at an error that would recur with each sample; silence and loss are reported elsewhere. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (error instanceof AppError && ['TIMEOUT', 'LOST', 'CANCELLED'].includes(error.code)) return
      this.#abort.abort()
      this.#on.failure(toFailure(error).message)
    }
  }

  async #read(send: Send): Promise<Reading> {
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
    const [clock, registers, display, ...others] = await Promise.all([
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
        ...(display ? { picture: display } : {}),
      },
    }
  }

  #deliver({ sample }: Reading, cost?: number): void {
    this.#on.sample(cost === undefined ? sample : { ...sample, cost })
  }
}

interface Reading {
  readonly jiffies: number
  readonly sample: Sample
}

class SpeedMeter {
  #points: { at: number; passed: number }[] = []
  #lastJiffies: number | undefined

  restart(): void {
    this.#points = []
    this.#lastJiffies = undefined
  }

  addFrame(rate: number): void {
    this.#add(1 / rate)
  }

  /** Restarts where the clock jumps, as in a program that uses its bytes for something else. */
  addJiffies(now: number): void {
    const passed = this.#lastJiffies === undefined ? 0 : (now - this.#lastJiffies) / JIFFIES_PER_SECOND
    const realTime = this.#points.length === 0 ? 0 : (performance.now() - (this.#points.at(-1)?.at ?? 0)) / 1_000
    if (passed < 0 || passed > realTime * 50 + 1) this.#points = []
    this.#lastJiffies = now
    this.#add(Math.max(passed, 0))
  }

  get speed(): number | null {
    const first = this.#points[0]
    const last = this.#points.at(-1)
    if (!first || !last || last.at - first.at < SPEED_WINDOW_MS / 2) return null
    const passed = last.passed - first.passed
    return passed === 0 ? null : (passed * 1_000) / (last.at - first.at)
  }

  #add(seconds: number): void {
    const at = performance.now()
    this.#points.push({ at, passed: (this.#points.at(-1)?.passed ?? 0) + seconds })
    while ((this.#points[0]?.at ?? at) < at - SPEED_WINDOW_MS) this.#points.shift()
  }
}

class CostMeter {
  #at: number | undefined
  #stopped = 0

  /**
   * The share since the last call, 0 to 1.
   * @param stoppedTime as {@link RunControl.stoppedTime}
   */
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
