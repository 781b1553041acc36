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
  /** @param isLeaving the machine stood there already, as VICE only checks when it continues */
  readonly onCheckpoint: (checkpoint: CheckpointInfo, isLeaving: boolean) => boolean
  readonly placeOf: (registers: readonly RegisterValue[]) => string
  readonly note: (send: Send, registers: readonly RegisterValue[]) => Promise<void>
  readonly onHalt: (checkpoint: CheckpointInfo | null) => void
  readonly mayStop: () => boolean
  /** At normal speed, ms. */
  readonly frameTime: () => number
}

interface StepOptions {
  readonly before?: (send: Send) => void
  readonly isNext?: boolean
}

const MAX_FRAMES_WAITED = 5

const never = new AbortController().signal

export class RunControl {
  readonly #client: MonitorClient
  readonly #options: RunControlOptions
  readonly #frameClock = new FrameClock()
  #execution: 'running' | 'paused' | 'jammed' = 'running'
  #lockStep = false
  #stopped = false
  #stoppedAt = 0
  #stoppedTime = 0
  #onStop: (() => void) | undefined
  #isStepStopped = false
  /** After a checkpoint or a jam interrupts a step, VICE still goes on with it, and would stop where it ends. */
  #isStepOpen = false
  #departures = 0
  #hits: CheckpointInfo[] = []
  #registers: readonly RegisterValue[] = []
  #lastStop = { place: '', hasHits: false }
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

  /** While a step runs, any other command would end it early. */
  get isStepping(): boolean {
    return this.#onStop !== undefined
  }

  get departures(): number {
    return this.#departures
  }

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
   * Waits until late in an otherwise unused frame, so that a command that can wait delays no other: VICE carries out
   * one trap a frame. Waits a few frames at most, and not at all unless the machine runs freely.
   * @throws AppError CANCELLED
   */
  async untilLate(signal: AbortSignal): Promise<void> {
    for (let frames = 0; this.#shouldRun && frames < MAX_FRAMES_WAITED; frames++) {
      await elapsed(this.#frameClock.untilLate(performance.now(), this.#options.frameTime()), signal)
      if (!this.#client.busy) return
    }
  }

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

  frame<Result>(work: (send: Send) => Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
    return this.#client.trap((send) => {
      if (this.#execution !== 'running') return Promise.resolve(undefined)
      void send(this.#leavingMonitor(exit()))
      return work(send)
    }, signal)
  }

  /** In lock-step only {@link frame} runs the machine. */
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
   * Steps and stays paused. A call that is stepped over and does not return in time leaves the machine running.
   * @param options.before sends what is carried out first
   * @param options.isNext of several: a checkpoint here stops it, as the step before could not tell
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

  /** Takes notes before anything else is sent, then lets the machine run, or ends its step. */
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
   * Treats the answer to a command that leaves the monitor as the machine running again: the event comes only after the
   * answer, and the next trap may begin in between.
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

  /** Goes on after hits of checkpoints that do not stop it; so does a step. */
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
