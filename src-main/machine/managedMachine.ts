import { describeStop } from '@shared/checkpointStop'
import { AppError, toFailure, type ErrorCode } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { MachineState, SamplingMode } from '@shared/contract/machine'
import { spaces as allSpaces, type Space } from '@shared/contract/memory'
import { ConnectionAttempt } from './connectionAttempt'
import type { AudioBlock } from './facets'
import type { Unsubscribe } from './listeners'
import { loadedInto } from './loadedPrograms'
import { describeLoss } from './lossNotice'
import { describeCapabilities, describeProgramFiles, type Machine, type Sample } from './machine'
import { ReconnectTimer } from './reconnectTimer'
import { SampledWrites } from './sampledWrites'
import { SampleMeter } from './sampleMeter'

export interface Subscription {
  readonly spaces: readonly Space[]
  readonly picture: boolean
  /** While a recording lasts, the machine is sampled even where that was off. */
  readonly records?: boolean
}

/** Errors that a retry would only repeat: the next attempt waits for the user. */
const permanentErrors: ReadonlySet<ErrorCode> = new Set(['INVALID', 'FORBIDDEN', 'UNSUPPORTED', 'NOT_FOUND'])

const WAKE_DEADLINE_MS = 5_000

interface Sampling {
  readonly mode: SamplingMode
  readonly rate: number
}

export interface ManagedMachineOptions {
  readonly defaultSampling: () => Sampling
  readonly password?: (signal: AbortSignal) => Promise<string | undefined>
  readonly nextEpoch: () => number
  readonly onChange: () => void
  readonly log: (message: string, error?: unknown) => void
}

export class ManagedMachine {
  readonly machine: Machine
  readonly #options: ManagedMachineOptions
  readonly #subscriptions = new Map<(frame: Frame) => void, Subscription>()
  #audioSubscribers = 0
  #users = 0
  #defaultSampling: Sampling
  #chosenSampling: Sampling | undefined
  #applying: Promise<void> | undefined
  #applyAgain = false
  #epoch: number
  #seq = 0
  readonly #meter = new SampleMeter()
  readonly sampledWrites = new SampledWrites()
  #isRequested = false
  #wasLive = false
  #lastProblem: Pick<MachineState, 'reason' | 'hint'> | undefined
  readonly #retry = new ReconnectTimer(() => void this.#reconnect())
  #connecting: ConnectionAttempt | undefined
  #disconnecting: Promise<void> | undefined
  #program: MachineState['program'] = null
  /** Set from before this computer sleeps until the machine answered afterwards. */
  #sleep: 'asleep' | 'waking' | null = null
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
    const {
      reason,
      hint,
      notices,
      connection,
      stop = null,
      slow = null,
      past = null,
      replaying = null,
      logged = 0,
      warnings = [],
    } = machine.status
    const problem = connection === 'connecting' ? this.#lastProblem : undefined
    const sleep = connection === 'live' ? this.#sleep : null
    const losses = this.#lossNotice === null ? [] : [this.#lossNotice]
    const stopReason = stop ? `${describeStop(stop)}.` : null
    return {
      machine: machine.name,
      kind: machine.kind,
      ...machine.status,
      connection: sleep === null ? connection : 'stale',
      reason: sleep === null ? (reason ?? problem?.reason ?? stopReason) : sleepReasons[sleep],
      hint: hint ?? problem?.hint ?? null,
      wasLive: this.#wasLive,
      retry: this.#retry.describe(this.#connecting !== undefined && (this.#retry.failures > 0 || this.#wasLive)),
      streams: machine.status.streams ?? [],
      stop,
      slow,
      past,
      replaying,
      logged,
      sampling: { ...this.#sampling, measured: this.#meter.rate },
      samplingRisk: machine.samplingRisk ?? null,
      cost: this.#meter.cost,
      capabilities: describeCapabilities(machine),
      programFiles: describeProgramFiles(machine),
      hasBasic: machine.programs?.hasBasic?.() !== false,
      program: this.#program,
      notices: [...losses, ...notices].slice(0, 10),
      warnings: [...losses, ...warnings].slice(0, 10),
    }
  }

  get program(): MachineState['program'] {
    return this.#program
  }

  set program(program: MachineState['program']) {
    if (program?.problem === null && program.startedAt !== this.#program?.startedAt) this.#lossNotice = null
    this.#program = program
    this.#options.onChange()
  }

  get needsConnection(): boolean {
    return this.machine.needsConnection === true || this.sampledWrites.list.length > 0
  }

  get isSubscribed(): boolean {
    return this.#subscriptions.size > 0 || this.#audioSubscribers > 0 || this.#users > 0
  }

  get epoch(): number {
    return this.#epoch
  }

  acquire(): Unsubscribe {
    this.#users++
    return () => {
      this.#users--
    }
  }

  /** Concurrent calls share one attempt, which ends early only when all of them gave up or the user disconnects. */
  async connect(signal: AbortSignal): Promise<void> {
    await this.#disconnecting
    if (this.#isConnected) return
    this.#isRequested = true
    this.#retry.cancel()
    this.#connecting ??= this.#startConnecting()
    await this.#connecting.wait(signal)
  }

  async disconnect(): Promise<void> {
    this.#release()
    this.#disconnecting ??= this.#disconnect().finally(() => {
      this.#disconnecting = undefined
    })
    await this.#disconnecting
  }

  fallAsleep(): void {
    this.#sleep = 'asleep'
    this.#options.onChange()
  }

  /**
   * This computer woke up, announced or not: a connected machine is live again once it answers, and a scheduled
   * reconnect starts at once.
   */
  async wakeUp(): Promise<void> {
    if (this.#sleep === 'waking') return
    this.#retry.resetFailures()
    this.#sleep = null
    if (this.#retry.isScheduled) {
      await this.#reconnect()
    } else if (this.#isConnected && this.machine.wake) {
      this.#sleep = 'waking'
      this.#options.onChange()
      // Views drop what they show of an earlier epoch.
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

  /** @throws AppError BUSY for `off` while the machine is recorded */
  async setSampling(mode: SamplingMode, rate: number): Promise<void> {
    if (mode === 'off' && this.#isRecorded) {
      throw new AppError('BUSY', `${this.machine.status.title} is being recorded.`, {
        hint: 'Stop the recording to switch sampling off.',
      })
    }
    this.#chosenSampling = { mode, rate }
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
    const chosen = this.#chosenSampling ?? this.#defaultSampling
    if (chosen.mode !== 'off' || !this.#isRecorded) return chosen
    const { mode, rate } = this.#options.defaultSampling()
    return { mode: mode === 'off' ? 'free' : mode, rate }
  }

  get #isRecorded(): boolean {
    return [...this.#subscriptions.values()].some(({ records }) => records === true)
  }

  #startConnecting(): ConnectionAttempt {
    return new ConnectionAttempt(
      (signal) => this.#connect(signal),
      (failure) => {
        this.#connecting = undefined
        if (failure) this.#failed(failure.error, failure.wasAborted)
        // Lost again before the attempt had ended: no further status change follows.
        else if (this.machine.status.connection === 'lost') this.#scheduleRetry()
      },
    )
  }

  async #reconnect(): Promise<void> {
    await this.connect(new AbortController().signal).catch(() => undefined)
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const isReconnection = this.#wasLive
    this.#epoch = this.#options.nextEpoch()
    await this.machine.connect(signal, await this.#options.password?.(signal))
    this.#wasLive = true
    this.#retry.resetFailures()
    this.#lastProblem = undefined
    if (isReconnection) this.#noteLoss()
    const { samplesOnRequestOnly = false } = this.machine
    this.#defaultSampling = samplesOnRequestOnly
      ? { ...this.#options.defaultSampling(), mode: 'off' }
      : this.#options.defaultSampling()
    await this.#applySampling()
  }

  async #disconnect(): Promise<void> {
    this.#connecting?.abort()
    await this.#connecting?.done.catch(() => undefined)
    this.#release()
    this.#chosenSampling = undefined
    await this.machine.disconnect()
    loadedInto(this.machine).forget()
  }

  #noteLoss(): void {
    const program = this.#program
    this.#lossNotice = describeLoss(this.machine, program, new Date()) ?? this.#lossNotice
    // A watched program is loaded again by its next build.
    if (this.machine.afterLoss === 'restarted' && program?.watched === false) this.#program = null
    if (this.machine.afterLoss === 'restarted') loadedInto(this.machine).forget()
  }

  #requestChanged(): void {
    this.#options.onChange()
    this.#applySampling().catch((error: unknown) =>
      this.#options.log(`${this.machine.name} could not be sampled`, error),
    )
  }

  /** One change of the sampling at a time; of those requested meanwhile only the last is made. */
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
    this.#meter.add(cost)
    this.sampledWrites.sampled(sample.segments, sample.time)
    const frame: Frame = { ...sample, machine: this.machine.name, epoch: this.#epoch, seq: this.#seq++ }
    for (const listener of this.#subscriptions.keys()) listener(frame)
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

  #failed(error: unknown, wasAborted: boolean): void {
    const { code, message, hint = null } = toFailure(error)
    this.#lastProblem = { reason: message, hint }
    this.#retry.countFailure()
    // A program that ends right after its start is not started over and over.
    const isPermanent = permanentErrors.has(code) || (this.machine.afterLoss === 'restarted' && !this.#wasLive)
    if (wasAborted) this.#release()
    else if (isPermanent) this.#isRequested = false
    else this.#scheduleRetry()
    this.#options.onChange()
  }

  #release(): void {
    this.sampledWrites.clear()
    this.#retry.cancel()
    this.#retry.resetFailures()
    this.#isRequested = false
    this.#wasLive = false
    this.#lastProblem = undefined
    this.#lossNotice = null
  }

  #scheduleRetry(): void {
    if (this.#isRequested && !this.#isConnected) this.#retry.schedule()
  }
}

const sleepReasons = {
  asleep: 'This computer is asleep: data shown is from before.',
  waking: 'This computer slept: checking whether the machine still answers.',
}
