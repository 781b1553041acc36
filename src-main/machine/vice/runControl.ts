/** Whether VICE's machine runs: lets it run and stops it, and notices when it stops by itself. */
import { AppError } from '@shared/contract/errors'
import type { RunCommand } from './borrowedResources'
import type { MonitorClient, Send } from './client'
import type { Request } from './codec'
import { advance, exit, ping } from './commands'
import type { CheckpointInfo, RegisterValue } from './commands'
import type { Event } from './events'
import { FrameClock } from './frameClock'

export interface RunControlOptions {
  readonly onChange: () => void
  /**
   * A checkpoint was hit: whether it stops the machine.
   * @param isLeaving the machine stood there already, and VICE looks for checkpoints only as it goes on
   */
  readonly onCheckpoint: (checkpoint: CheckpointInfo, isLeaving: boolean) => boolean
  /** Where the CPU and the raster are. */
  readonly placeOf: (registers: readonly RegisterValue[]) => string
  /** Sends for what is noted at the checkpoints that were hit. */
  readonly note: (send: Send, registers: readonly RegisterValue[]) => Promise<void>
  /** The machine stopped by itself: at the given checkpoint, by a jam, from VICE's own window. */
  readonly onHalt: (checkpoint: CheckpointInfo | null) => void
  /** Whether a checkpoint may stop the machine at any time. */
  readonly mayStop: () => boolean
  /** How long a frame is at normal speed, ms. */
  readonly frameTime: () => number
}

interface StepOptions {
  readonly before?: (send: Send) => void
  readonly isNext?: boolean
}

/** Samples go on while others write in each frame. */
const MAX_FRAMES_WAITED = 5

const never = new AbortController().signal

export class RunControl {
  readonly #client: MonitorClient
  readonly #options: RunControlOptions
  readonly #frameClock = new FrameClock()
  #execution: 'running' | 'paused' | 'jammed' = 'running'
  /** The machine stands between the frames that {@link frame} requests. */
  #lockStep = false
  /** Whether the monitor holds the machine now, and since when. */
  #stopped = false
  #stoppedAt = 0
  #stoppedTime = 0
  #onStop: (() => void) | undefined
  #isStepStopped = false
  /** VICE goes on with a step that a checkpoint or a jam interrupted, and would stop where that ends. */
  #isStepOpen = false
  #departures = 0
  /** Of the stop that is being reported. */
  #hits: CheckpointInfo[] = []
  #registers: readonly RegisterValue[] = []
  #lastStop = { place: '', hasHits: false }
  /** Where the machine stood before it was told to go on; null once it stopped again. */
  #leaving: string | null = null

  constructor(client: MonitorClient, options: RunControlOptions) {
    this.#client = client
    this.#options = options
    client.onEvent((event) => this.#onEvent(event))
    client.onSilence((silent) => {
      if (!silent) this.#letRun()
    })
  }

  get execution(): 'running' | 'paused' | 'jammed' {
    return this.#execution
  }

  /** A step runs, which any other command would end early. */
  get isStepping(): boolean {
    return this.#onStop !== undefined
  }

  /** Counts how often the machine left the place where it stood. */
  get departures(): number {
    return this.#departures
  }

  /** Of the last stop. */
  get registers(): readonly RegisterValue[] {
    return this.#registers
  }

  /** How long the monitor has held the running machine altogether, ms. */
  get stoppedTime(): number {
    return this.#stoppedTime
  }

  /** Carries out commands in one trap and leaves the machine as it was: running, or stopped. */
  readonly command: RunCommand = async (work, signal) => {
    try {
      return await this.#client.trap((send) => {
        const result = work(send)
        // A checkpoint may have stopped the machine just before this trap, and leaving the monitor would run past it.
        // Where there is a checkpoint, its event is awaited first.
        if (this.#shouldRun && !this.#options.mayStop()) void send(this.#leavingMonitor(exit()))
        return result
      }, signal)
    } finally {
      if (this.#options.mayStop()) this.#letRun()
    }
  }

  /**
   * Until it is late in a frame that nobody else uses, so that a command that can wait is in nobody's way: VICE carries out
   * one trap a frame. Waits for few frames, and not at all while the machine does not run freely.
   * @throws AppError CANCELLED
   */
  async untilLate(signal: AbortSignal): Promise<void> {
    for (let frames = 0; this.#shouldRun && frames < MAX_FRAMES_WAITED; frames++) {
      await elapsed(this.#frameClock.untilLate(performance.now(), this.#options.frameTime()), signal)
      if (!this.#client.busy) return
    }
  }

  /** Carries out one command that lets the machine run. */
  async restart(request: Request<unknown>, signal: AbortSignal, deadline?: number): Promise<void> {
    const before = this.#execution
    try {
      await this.#client.trap(
        (send) => {
          this.#setExecution('running')
          // In lock-step, stop the machine again after one frame.
          const done = send(this.#leavingMonitor(request))
          return this.#lockStep ? Promise.all([done, send(ping())]) : done
        },
        signal,
        deadline,
      )
    } catch (error) {
      this.#setExecution(before)
      this.#letRun()
      throw error
    }
  }

  /** Runs the machine for exactly one frame, then carries out `work`. Resolves to undefined while it is paused. */
  frame<Result>(work: (send: Send) => Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
    return this.#client.trap((send) => {
      if (this.#execution !== 'running') return Promise.resolve(undefined)
      void send(this.#leavingMonitor(exit()))
      return work(send)
    }, signal)
  }

  /** Stops the machine at the end of a frame, so that only {@link frame} runs it; or lets it run freely again. */
  async setLockStep(lockStep: boolean): Promise<void> {
    if (this.#lockStep === lockStep) return
    this.#lockStep = lockStep
    if (lockStep) await this.#client.trap((send) => send(ping()), never)
    else this.#letRun()
  }

  async pause(signal: AbortSignal): Promise<void> {
    if (this.#execution !== 'running') return
    this.#setExecution('paused')
    try {
      await this.#client.trap((send) => send(ping()), signal)
    } catch (error) {
      this.#setExecution('running')
      this.#letRun()
      throw error
    }
  }

  /** @throws AppError CONFLICT */
  requireNoJam(): void {
    if (this.#execution === 'jammed')
      throw new AppError('CONFLICT', 'The CPU is jammed and cannot continue.', { hint: 'Reset the machine.' })
  }

  /** Stands where the monitor holds it now. */
  stay(): void {
    this.#setExecution('paused')
  }

  async resume(signal: AbortSignal): Promise<void> {
    if (this.#execution === 'running') return
    this.requireNoJam()
    this.#leave()
    this.#setExecution('running')
    await this.#client.trap((send) => (this.#lockStep ? Promise.resolve() : send(this.#leavingMonitor(exit()))), signal)
  }

  /**
   * Steps and stays paused. The machine is left running where a call that is stepped over does not return in time.
   * @param options.before sends what is carried out first
   * @param options.isNext of several: a checkpoint where it stands stops it, as the step before could not tell
   * @returns whether a checkpoint ended it, perhaps before its first instruction
   */
  async step(
    count: number,
    over: boolean,
    signal: AbortSignal,
    deadline: number,
    { before, isNext = false }: StepOptions = {},
  ): Promise<boolean> {
    let stepping = false
    this.#isStepStopped = false
    this.#isStepOpen = false
    const stopped = new Promise<void>((resolve) => {
      this.#onStop = () => {
        if (stepping) resolve()
      }
    })
    try {
      await this.#client.trap((send) => {
        if (!isNext) this.#leave()
        this.#setExecution('paused')
        this.#departures++
        before?.(send)
        // Events and answers arrive in order: the first stop after the answer ends the step.
        return send({ ...advance(count, over), parse: () => (stepping = true) })
      }, signal)
      await Promise.race([stopped, elapsed(deadline, signal)])
    } finally {
      this.#onStop = undefined
    }
    const wasStopped = this.#endStep()
    if (this.#stopped) return wasStopped
    this.#setExecution('running')
    throw new AppError('TIMEOUT', 'The step is not finished yet; the machine keeps running until it is.', {
      hint: 'Pause it to see where it is.',
    })
  }

  /** Whether a checkpoint ended it. */
  #endStep(): boolean {
    this.#isStepOpen = this.#isStepStopped || this.#execution === 'jammed'
    return this.#isStepStopped
  }

  get #shouldRun(): boolean {
    return this.#execution === 'running' && !this.#lockStep
  }

  /** Lets the machine run if it is stopped but should not be, as after a trap whose answers were late. */
  #letRun(): void {
    const trap = this.#client.trap(
      (send) => (this.#shouldRun && this.#stopped ? send(this.#leavingMonitor(exit())) : Promise.resolve()),
      never,
    )
    trap.catch(() => undefined) // late again: tried again when VICE answers; lost: the connection reports it
  }

  /** It was seen to stand where it is, so that what is there does not stop it again. */
  #leave(): void {
    const { place, hasHits } = this.#lastStop
    this.#leaving = this.#execution === 'running' || hasHits ? null : place
  }

  /** Notes what is to be noted, before anything else is sent, and lets the machine run on, or end its step. */
  #pass(goesOn: boolean): void {
    const registers = this.#registers
    const trap = this.#client.trap(
      (send) => {
        const noted = this.#options.note(send, registers)
        if (goesOn && (this.#shouldRun || this.isStepping)) void send(this.#leavingMonitor(exit()))
        return noted
      },
      never,
      undefined,
      true,
    )
    trap.catch(() => this.#letRun())
  }

  /**
   * Takes the answer to a command that leaves the monitor as the machine running again: the event that reports it comes
   * only after the answer, and the next trap may begin in between.
   */
  #leavingMonitor(request: Request<unknown>): Request<unknown> {
    return {
      ...request,
      parse: (body, items) => {
        this.#noteResumed()
        return request.parse(body, items)
      },
    }
  }

  #noteResumed(): void {
    const now = performance.now()
    this.#departures++
    this.#frameClock.started(now)
    if (this.#stopped && this.#shouldRun) this.#stoppedTime += now - this.#stoppedAt
    this.#stopped = false
  }

  #setExecution(execution: RunControl['execution']): void {
    if (this.#execution === execution) return
    this.#execution = execution
    this.#stoppedAt = performance.now() // a pause by the user does not count as cost
    this.#options.onChange()
  }

  #halt(execution: 'paused' | 'jammed', checkpoint: CheckpointInfo | null = null): void {
    if (this.#execution !== 'running' && !this.isStepping) return
    this.#setExecution(execution)
    this.#options.onHalt(checkpoint)
  }

  /** Where checkpoints were hit that do not stop it, it goes on, and so does a step. */
  #stop(): void {
    const hits = this.#hits
    this.#hits = []
    const place = this.#options.placeOf(this.#registers)
    const isLeaving = place !== '' && place === this.#leaving
    this.#leaving = null
    this.#lastStop = { place, hasHits: hits.length > 0 }
    const stopping = hits.filter((hit) => this.#options.onCheckpoint(hit, isLeaving))
    const [first] = stopping
    if (first) {
      this.#isStepStopped = true
      this.#halt('paused', first)
    }
    const goesOn = hits.length > 0 && !first
    if (hits.length > 0) this.#pass(goesOn)
    // Outside a trap, VICE's own monitor stopped it.
    else if (!this.isStepping && !this.#client.busy && this.#shouldRun) {
      if (this.#isStepOpen) this.#pass(true)
      else this.#halt('paused')
      this.#isStepOpen = false
    }
    if (!goesOn) this.#onStop?.()
  }

  #onEvent(event: Event): void {
    switch (event.kind) {
      case 'stopped':
        this.#stopped = true
        this.#stoppedAt = performance.now()
        this.#stop()
        break
      case 'resumed':
        this.#noteResumed()
        break
      case 'checkpoint':
        if (event.checkpoint.stop) this.#hits.push(event.checkpoint)
        else this.#options.onCheckpoint(event.checkpoint, false)
        break
      case 'registers':
        this.#registers = event.registers
        break
      case 'jam':
        this.#halt('jammed')
        break
    }
  }
}

function elapsed(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      clearTimeout(timer)
      reject(new AppError('CANCELLED', 'The operation was cancelled.'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cancel)
      resolve()
    }, time)
    signal.addEventListener('abort', cancel, { once: true })
  })
}
