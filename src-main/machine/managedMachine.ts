import { AppError, toFailure, type ErrorCode } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { MachineState, SamplingMode } from '@shared/contract/machine'
import { spaces as allSpaces, type Space } from '@shared/contract/memory'
import { describeCapabilities, type Machine, type Sample } from './machine'
import type { AudioBlock } from './facets'
import type { Unsubscribe } from './listeners'

export interface Subscription {
  readonly spaces: readonly Space[]
  readonly picture: boolean
}

/** Waits before each attempt to reconnect, ms; the last one repeats. */
const BACK_OFF_MS = [500, 1_000, 2_000, 4_000, 8_000, 10_000] as const

/** Errors that the next attempt would meet again: these wait for the person. */
const permanentErrors: ReadonlySet<ErrorCode> = new Set(['INVALID', 'FORBIDDEN', 'UNSUPPORTED', 'NOT_FOUND'])

/** How long a connection may take before it counts as failed, ms. */
const CONNECT_DEADLINE_MS = 20_000

/** How long a machine may take to answer after this computer slept, ms. */
const WAKE_DEADLINE_MS = 5_000

/** Over which sampling rates are measured, ms. */
const RATE_WINDOW_MS = 1_000

interface Sampling {
  readonly mode: SamplingMode
  /** Samples per second. */
  readonly rate: number
}

export interface ManagedMachineOptions {
  /** How it is sampled while the person has not said anything else. Asked at each connection. */
  readonly defaultSampling: () => Sampling
  /** The password for the next connection, where there is one. Asked at each, also when it reconnects. */
  readonly password?: (signal: AbortSignal) => Promise<string | undefined>
  /** A number that no frame of any machine had yet. */
  readonly nextEpoch: () => number
  readonly onChange: () => void
  readonly log: (message: string, error?: unknown) => void
}

interface Attempt {
  readonly done: Promise<void>
  readonly abort: AbortController
  /** Callers that still want it. */
  waiting: number
}

/**
 * A machine together with what the person wants of it: connected or not, sampled how, by whom. It numbers the samples,
 * measures their rate, and tries again, with growing waits, what cannot be connected or got lost, until it is connected
 * or the person disconnects it.
 */
export class ManagedMachine {
  readonly machine: Machine
  readonly #options: ManagedMachineOptions
  readonly #subscriptions = new Map<(frame: Frame) => void, Subscription>()
  #audioSubscribers = 0
  #users = 0
  #defaultSampling: Sampling
  #askedSampling: Sampling | undefined
  #applying: Promise<void> | undefined
  #applyAgain = false
  #epoch: number
  #seq = 0
  #sampleTimes: number[] = []
  #cost: number | null = null
  /** The person asked for it and has not let it go since. */
  #isAsked = false
  #wasLive = false
  /** Attempts that failed since it was live or asked for. */
  #failures = 0
  /** Why it is not connected. */
  #lastProblem: Pick<MachineState, 'reason' | 'hint'> | undefined
  #retry: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined
  #connecting: Attempt | undefined
  #disconnecting: Promise<void> | undefined
  #program: MachineState['program'] = null
  /** This computer is about to sleep, or woke up and looks whether the machine is still there. */
  #sleep: 'asleep' | 'waking' | null = null
  /** What the person must know of what ran before the last loss. */
  #lossNotice: string | null = null

  constructor(machine: Machine, options: ManagedMachineOptions) {
    this.machine = machine
    this.#options = options
    this.#defaultSampling = options.defaultSampling()
    this.#epoch = options.nextEpoch()
    machine.onSample((sample) => this.#onSample(sample))
    machine.onStatus(() => this.#onStatus())
  }

  get state(): MachineState {
    const { machine } = this
    const { reason, hint, notices, connection } = machine.status
    const measured = this.#measuredRate()
    // While it is tried again, why that is so stays in view.
    const problem = connection === 'connecting' ? this.#lastProblem : undefined
    const sleep = connection === 'live' ? this.#sleep : null
    return {
      machine: machine.name,
      kind: machine.kind,
      ...machine.status,
      connection: sleep === null ? connection : 'stale',
      reason: sleep === null ? (reason ?? problem?.reason ?? null) : sleepReasons[sleep],
      hint: hint ?? problem?.hint ?? null,
      wasLive: this.#wasLive,
      retry: this.#retryState,
      streams: machine.status.streams ?? [],
      sampling: { ...this.#sampling, measured },
      cost: measured === 0 ? null : this.#cost,
      capabilities: describeCapabilities(machine),
      program: this.#program,
      notices: [...(this.#lossNotice === null ? [] : [this.#lossNotice]), ...notices].slice(0, 10),
    }
  }

  get program(): MachineState['program'] {
    return this.#program
  }

  /** A program that is told of runs now, so nothing is missed any more. */
  set program(program: MachineState['program']) {
    if (program?.problem === null && program.startedAt !== this.#program?.startedAt) this.#lossNotice = null
    this.#program = program
    this.#options.onChange()
  }

  get isSubscribed(): boolean {
    return this.#subscriptions.size > 0 || this.#audioSubscribers > 0 || this.#users > 0
  }

  /** That of the frames to come. */
  get epoch(): number {
    return this.#epoch
  }

  /** Keeps the machine in use, also while nobody looks at it, until it is released. */
  acquire(): Unsubscribe {
    this.#users++
    return () => {
      this.#users--
    }
  }

  /**
   * Resolves at once when connected already. Calls at the same time share one attempt, which ends early only when all
   * of them gave up or the person disconnects.
   */
  async connect(signal: AbortSignal): Promise<void> {
    await this.#disconnecting
    if (this.#isConnected) return
    this.#isAsked = true
    this.#stopWaiting()
    const attempt = (this.#connecting ??= this.#startConnecting())
    attempt.waiting++
    try {
      await raceAbort(attempt.done, signal)
    } finally {
      attempt.waiting--
      if (attempt.waiting === 0 && attempt === this.#connecting) attempt.abort.abort()
    }
  }

  async disconnect(): Promise<void> {
    this.#release()
    this.#disconnecting ??= this.#disconnect().finally(() => {
      this.#disconnecting = undefined
    })
    await this.#disconnecting
  }

  /** This computer is about to sleep: nothing that is shown of the machine is live from now on. */
  fallAsleep(): void {
    this.#sleep = 'asleep'
    this.#options.onChange()
  }

  /**
   * This computer woke up, also where nobody knew that it would sleep: what is connected is asked whether it is still
   * there, and is live only once it answers; what waits for its next attempt is tried at once.
   */
  async wakeUp(): Promise<void> {
    if (this.#sleep === 'waking') return
    this.#failures = 0
    this.#sleep = null
    if (this.#retry) {
      // What comes of it shows in the machine's state.
      await this.connect(new AbortController().signal).catch(() => undefined)
    } else if (this.#isConnected && this.machine.wake) {
      this.#sleep = 'waking'
      this.#options.onChange()
      // Whoever shows the machine forgets what it has of it.
      this.#epoch = this.#options.nextEpoch()
      await this.machine
        .wake(AbortSignal.timeout(WAKE_DEADLINE_MS))
        .catch((error: unknown) =>
          this.#options.log(`${this.machine.name} did not answer after this computer slept`, error),
        )
      this.#sleep = null
    }
    this.#options.onChange()
  }

  async setSampling(mode: SamplingMode, rate: number): Promise<void> {
    this.#askedSampling = { mode, rate }
    this.#options.onChange()
    await this.#applySampling()
  }

  subscribe(subscription: Subscription, listener: (frame: Frame) => void): Unsubscribe {
    this.#subscriptions.set(listener, subscription)
    this.#requestChanged()
    return () => {
      this.#subscriptions.delete(listener)
      this.#requestChanged()
    }
  }

  /** The sound, whenever the machine's audio stream runs. */
  subscribeAudio(listener: (block: AudioBlock) => void): Unsubscribe {
    const stop = this.machine.streams?.onAudio(listener)
    this.#audioSubscribers++
    return () => {
      stop?.()
      this.#audioSubscribers--
    }
  }

  get #isConnected(): boolean {
    const { connection } = this.machine.status
    return connection === 'live' || connection === 'stale'
  }

  get #sampling(): Sampling {
    return this.#askedSampling ?? this.#defaultSampling
  }

  #startConnecting(): Attempt {
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(CONNECT_DEADLINE_MS)])
    // Not at once: the machine's first words would be heard before this attempt is known.
    const begun = Promise.resolve().then(() => this.#connect(signal))
    const done = begun.then(
      () => {
        this.#connecting = undefined
        // It may have been lost again before anybody could look.
        if (this.machine.status.connection === 'lost') this.#scheduleRetry()
      },
      (error: unknown) => {
        this.#connecting = undefined
        this.#failed(error, abort.signal.aborted)
        throw error
      },
    )
    // Every caller may have given up; the attempt's end is then nobody's error.
    done.catch(() => undefined)
    return { done, abort, waiting: 0 }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const isReconnection = this.#wasLive
    this.#epoch = this.#options.nextEpoch()
    await this.machine.connect(signal, await this.#options.password?.(signal))
    this.#wasLive = true
    this.#failures = 0
    this.#lastProblem = undefined
    if (isReconnection) this.#noteLoss()
    const { samplesOnRequestOnly = false } = this.machine
    this.#defaultSampling = samplesOnRequestOnly
      ? { ...this.#options.defaultSampling(), mode: 'off' }
      : this.#options.defaultSampling()
    await this.#applySampling()
  }

  async #disconnect(): Promise<void> {
    this.#connecting?.abort.abort()
    await this.#connecting?.done.catch(() => undefined)
    this.#release()
    this.#askedSampling = undefined
    await this.machine.disconnect()
  }

  /** After a reconnection: what became of what ran. */
  #noteLoss(): void {
    const { title } = this.machine.status
    const { afterLoss = 'unknown' } = this.machine
    const time = new Date().toTimeString().slice(0, 8)
    const program = this.#program
    const again = `Load it again${program?.watched === true ? ', or rebuild it' : ''}`
    if (afterLoss === 'startedAnew') {
      const loss =
        program === null ? 'what ran in it before is lost.' : `${program.name} no longer runs in it. ${again}.`
      this.#lossNotice = `${title} was started again at ${time}; ${loss}`
    } else if (afterLoss === 'unknown' && program !== null) {
      this.#lossNotice = `${title} came back at ${time}. Whether ${program.name} still runs in it is not known. ${again} if it does not.`
    }
    if (afterLoss === 'startedAnew' && program?.watched === false) this.#program = null
  }

  #requestChanged(): void {
    this.#applySampling().catch((error: unknown) =>
      this.#options.log(`${this.machine.name} could not be sampled`, error),
    )
  }

  /** One change of the sampling at a time; of those that come meanwhile only the last counts. */
  #applySampling(): Promise<void> {
    if (this.#applying) {
      this.#applyAgain = true
      return this.#applying
    }
    this.#applying = this.#applyLatest().finally(() => {
      this.#applying = undefined
    })
    return this.#applying
  }

  async #applyLatest(): Promise<void> {
    for (let again = true; again; again = this.#applyAgain) {
      this.#applyAgain = false
      if (!this.#isConnected) return
      const wanted = [...this.#subscriptions.values()]
      await this.machine.setSampling({
        mode: wanted.length === 0 ? 'off' : this.#sampling.mode,
        rate: this.#sampling.rate,
        spaces: allSpaces.filter((space) => wanted.some(({ spaces }) => spaces.includes(space))),
        picture: wanted.some(({ picture }) => picture),
      })
    }
  }

  #onSample({ cost, ...sample }: Sample): void {
    const now = performance.now()
    this.#sampleTimes.push(now)
    this.#dropOldTimes(now)
    if (cost !== undefined) this.#cost = Math.min(1, Math.max(0, cost))
    const frame: Frame = { ...sample, machine: this.machine.name, epoch: this.#epoch, seq: this.#seq++ }
    for (const listener of this.#subscriptions.keys()) listener(frame)
  }

  #measuredRate(): number {
    this.#dropOldTimes(performance.now())
    return this.#sampleTimes.length / (RATE_WINDOW_MS / 1_000)
  }

  #dropOldTimes(now: number): void {
    const firstKept = this.#sampleTimes.findIndex((time) => time > now - RATE_WINDOW_MS)
    this.#sampleTimes.splice(0, firstKept < 0 ? this.#sampleTimes.length : firstKept)
  }

  #onStatus(): void {
    const { connection, reason, hint } = this.machine.status
    if (!this.#connecting) {
      if (connection === 'idle') this.#release()
      if (connection === 'lost') {
        this.#lastProblem = { reason, hint }
        this.#scheduleRetry()
      }
    }
    this.#options.onChange()
  }

  #failed(error: unknown, wasGivenUp: boolean): void {
    const { code, message, hint = null } = toFailure(error)
    this.#lastProblem = { reason: message, hint }
    this.#failures++
    // Who starts a program that ends at once starts it again only when asked.
    const isHopeless = permanentErrors.has(code) || (this.machine.afterLoss === 'startedAnew' && !this.#wasLive)
    if (wasGivenUp) this.#release()
    else if (isHopeless) this.#isAsked = false
    else this.#scheduleRetry()
    this.#options.onChange()
  }

  /** Nobody wants it connected any more. */
  #release(): void {
    this.#stopWaiting()
    this.#isAsked = false
    this.#wasLive = false
    this.#failures = 0
    this.#lastProblem = undefined
    this.#lossNotice = null
  }

  #scheduleRetry(): void {
    if (!this.#isAsked || this.#retry || this.#isConnected) return
    const wait = BACK_OFF_MS[Math.min(this.#failures, BACK_OFF_MS.length - 1)] ?? 0
    // What comes of it shows in the machine's state.
    const timer = setTimeout(() => void this.connect(new AbortController().signal).catch(() => undefined), wait)
    this.#retry = { timer, at: Date.now() + wait }
  }

  #stopWaiting(): void {
    clearTimeout(this.#retry?.timer)
    this.#retry = undefined
  }

  get #retryState(): MachineState['retry'] {
    if (this.#retry) return { failures: this.#failures, next: this.#retry.at }
    const isUnderWay = this.#connecting !== undefined && (this.#failures > 0 || this.#wasLive)
    return isUnderWay ? { failures: this.#failures, next: null } : null
  }
}

const sleepReasons = {
  asleep: 'This computer sleeps: what is shown is from before.',
  waking: 'This computer slept: whether the machine is still there is being found out.',
}

function raceAbort(done: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new AppError('CANCELLED', 'The connection is no longer waited for.'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    void done.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
