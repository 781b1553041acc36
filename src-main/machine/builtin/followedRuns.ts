import { formatAddress } from '@shared/c64/address'
import { AppError } from '@shared/contract/errors'
import type { SlowMotion } from '@shared/contract/machine'
import type { Interrupts, Profile, RunTarget, Trace } from '@shared/contract/running'
import type { RasterFrame } from '@shared/contract/rasterFrame'
import type { VideoFrame } from '@shared/contract/videoFrame'
import { cancelled } from '../cancelled'
import { noFrame } from '../refusals'
import type { C64, FollowedRun } from './c64'
import type { CheckpointHit, Checkpoints } from './checkpoints'
import type { InstructionFollower } from './instructionFollower'
import { InterruptFollower } from './interruptFollower'
import { Profiler } from './profiler'
import type { ProgramStart } from './programStart'
import { cyclesPerFrame } from './raster'
import { RasterFrameFollower } from './rasterFrameFollower'
import { runTarget } from './runTarget'
import { Steps } from './steps'
import { Tracer } from './tracer'
import { VideoFrameFollower } from './videoFrameFollower'

interface Follow {
  readonly follower: InstructionFollower
  readonly onDone: () => void
  readonly onDropped?: () => void
}

export interface FollowedMachine {
  readonly c64: () => C64
  readonly checkpoints: Checkpoints
  readonly isRunning: () => boolean
  readonly resume: () => void
  readonly pause: () => void
  readonly ran: () => void
  readonly stand: (hit: CheckpointHit | undefined) => void
}

const oneInstruction: InstructionFollower = { begin: () => undefined, end: () => true }

export class FollowedRuns {
  readonly #machine: FollowedMachine
  #follow: Follow | undefined
  #start: { readonly follower: ProgramStart; readonly onEnd: () => void } | undefined

  constructor(machine: FollowedMachine) {
    this.#machine = machine
  }

  /** @throws AppError BUSY while the machine runs to somewhere or is profiled */
  requireNone(): void {
    if (this.#follow) throw alreadyFollowed()
  }

  runTo(to: RunTarget): void {
    if (this.#follow?.onDropped) throw alreadyFollowed()
    this.#set({ follower: runTarget(to, this.#machine.c64()), onDone: () => this.#machine.pause() })
  }

  runFrame(): FollowedRun {
    const { checkpoints } = this.#machine
    const c64 = this.#machine.c64()
    const follower = this.#start ? this.#withStart(this.#follow?.follower) : this.#follow?.follower
    if (follower) return c64.runFollowed(checkpoints, follower)
    return { hit: c64.runFrame(checkpoints), isDone: false }
  }

  /**
   * @returns false where the program did not start
   * @throws AppError CANCELLED
   */
  async programStart(follower: ProgramStart, signal: AbortSignal): Promise<boolean> {
    this.#endStart()
    await new Promise<void>((resolve, reject) => {
      const cancel = (): void => {
        this.#start = undefined
        reject(cancelled())
      }
      const onEnd = (): void => {
        signal.removeEventListener('abort', cancel)
        resolve()
      }
      this.#start = { follower, onEnd }
      signal.addEventListener('abort', cancel, { once: true })
    })
    return follower.hasStarted
  }

  #withStart(follower: InstructionFollower | undefined): InstructionFollower {
    return {
      ...follower,
      begin: () => follower?.begin(),
      end: () => {
        if (this.#start?.follower.end()) this.#endStart()
        return follower?.end() === true
      },
    }
  }

  #endStart(): void {
    const start = this.#start
    this.#start = undefined
    start?.onEnd()
  }

  finish(): void {
    const follow = this.#follow
    this.#follow = undefined
    follow?.onDone()
  }

  drop(): void {
    this.#endStart()
    const follow = this.#follow
    this.#follow = undefined
    follow?.onDropped?.()
  }

  /**
   * @throws AppError TIMEOUT where a routine that is stepped over, or all the steps, take too long; the machine then
   * stands
   */
  step(count: number, over: boolean): void {
    const c64 = this.#machine.c64()
    const steps = new Steps(c64, count, over)
    const { hit } = this.#runUntil(steps)
    this.#machine.stand(hit)
    const { timedOut } = steps
    if (timedOut && !hit && c64.jam === null) throw tooLong(timedOut, count)
  }

  runUnit(unit: SlowMotion['unit']): CheckpointHit | undefined {
    return this.#runUntil(unit === 'line' ? runTarget('line', this.#machine.c64()) : oneInstruction).hit
  }

  trace(count: number, frames: number | null): Trace {
    const c64 = this.#machine.c64()
    this.requireNone()
    const period = cyclesPerFrame(c64.standard)
    const tracer = new Tracer(c64, count, frames === null ? Infinity : Math.round(frames * period))
    const { hit } = this.#runUntil(tracer)
    this.#machine.stand(hit)
    const stoppedBy = hit ? 'checkpoint' : c64.cpu.jammedAt === null ? null : 'jam'
    return { ...tracer.result, cyclesPerFrame: period, stoppedBy, limit: null }
  }

  async profile(frames: number, signal: AbortSignal): Promise<Profile> {
    const c64 = this.#machine.c64()
    const period = cyclesPerFrame(c64.standard)
    const profiler = new Profiler(c64, frames * period)
    await this.#toEnd(profiler, signal)
    return { ...profiler.result, cyclesPerFrame: period }
  }

  async interrupts(frames: number, signal: AbortSignal): Promise<Interrupts> {
    const follower = new InterruptFollower(this.#machine.c64(), frames)
    await this.#toEnd(follower, signal)
    return follower.result
  }

  async videoFrame(signal: AbortSignal): Promise<VideoFrame> {
    const follower = new VideoFrameFollower(this.#machine.c64())
    await this.#toEnd(follower, signal)
    const { result } = follower
    if (!result) throw noFrame()
    return result
  }

  async rasterFrame(signal: AbortSignal): Promise<RasterFrame> {
    const follower = new RasterFrameFollower(this.#machine.c64())
    await this.#toEnd(follower, signal)
    const { result } = follower
    if (!result) throw noFrame()
    return result
  }

  async #toEnd(follower: InstructionFollower, signal: AbortSignal): Promise<void> {
    this.requireNone()
    const { isRunning, pause } = this.#machine
    const stood = !isRunning()
    await new Promise<void>((resolve, reject) => {
      const cancel = (): void => {
        this.#follow = undefined
        if (stood && isRunning()) pause()
        reject(cancelled())
      }
      const end = (): void => {
        signal.removeEventListener('abort', cancel)
        resolve()
      }
      const onDone = (): void => {
        end()
        if (stood) pause()
      }
      this.#set({ follower, onDone, onDropped: end })
      signal.addEventListener('abort', cancel)
    })
  }

  #set(follow: Follow): void {
    this.#machine.resume()
    this.#follow = follow
  }

  #runUntil(follower: InstructionFollower): FollowedRun {
    const { checkpoints } = this.#machine
    const c64 = this.#machine.c64()
    let run: FollowedRun
    do run = c64.runFollowed(checkpoints, follower)
    while (!run.isDone && !run.hit && c64.cpu.jammedAt === null)
    this.#machine.ran()
    return run
  }
}

const tooLong = ({ done, call }: NonNullable<Steps['timedOut']>, count: number): AppError =>
  call === null
    ? new AppError('TIMEOUT', `Stopped after ${done} of ${count} steps: ten seconds of the machine are up.`, {
        hint: 'Step on from here, or run to an address.',
      })
    : new AppError(
        'TIMEOUT',
        `The routine called at ${formatAddress(call)} did not return within ten seconds of the machine.`,
        {
          hint: 'The machine is paused in it. Let it run, or go back.',
        },
      )

const alreadyFollowed = (): AppError =>
  new AppError('BUSY', 'The built-in C64 is profiled, or runs to somewhere.', {
    hint: 'Wait until it is there, or pause it.',
  })
