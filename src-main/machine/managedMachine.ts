import { toFailure } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { MachineState, SamplingMode } from '@shared/contract/machine'
import { spaces as allSpaces, type Space } from '@shared/contract/memory'
import { describeCapabilities, type Machine, type Sample, type Unsubscribe } from './machine'

export interface Subscription {
  readonly spaces: readonly Space[]
  readonly picture: boolean
}

/** Waits before each attempt to reconnect, ms; the last one repeats. */
const BACK_OFF = [500, 1_000, 2_000, 4_000, 8_000, 10_000] as const

/** How long a reconnection may take before it counts as failed, ms. */
const CONNECT_DEADLINE = 20_000

/** Over which sampling rates are measured, ms. */
const WINDOW = 1_000

/**
 * A machine together with what the person wants of it: connected or not, sampled how, by whom. It numbers the samples,
 * measures their rate, and reconnects what was live and got lost.
 */
export class ManagedMachine {
  readonly machine: Machine
  readonly #onChange: () => void
  readonly #subscriptions = new Map<(frame: Frame) => void, Subscription>()
  #sampling: { mode: SamplingMode; rate: number }
  #epoch = 0
  #seq = 0
  #sampleTimes: number[] = []
  #cost: number | null = null
  #wasLive = false
  #attempt = 0
  #reconnect: NodeJS.Timeout | undefined
  #connecting: Promise<void> | undefined
  #abort: AbortController | undefined
  program: MachineState['program'] = null

  constructor(machine: Machine, sampling: { mode: SamplingMode; rate: number }, firstEpoch: number, onChange: () => void) {
    this.machine = machine
    this.#sampling = sampling
    this.#epoch = firstEpoch
    this.#onChange = onChange
    machine.onSample((sample) => this.#onSample(sample))
    machine.onStatus(() => this.#onStatus())
  }

  get state(): MachineState {
    const { machine } = this
    const measured = this.#measuredRate()
    return {
      machine: machine.name,
      kind: machine.kind,
      ...machine.status,
      sampling: { ...this.#sampling, measured },
      cost: measured === 0 ? null : this.#cost,
      capabilities: describeCapabilities(machine),
      program: this.program,
      notices: machine.status.notices.slice(0, 10),
    }
  }

  /** Resolves at once when live already; calls at the same time share one attempt. */
  async connect(signal: AbortSignal): Promise<void> {
    if (this.machine.status.connection === 'live') return
    clearTimeout(this.#reconnect)
    this.#abort ??= new AbortController()
    const abort = this.#abort
    signal.addEventListener('abort', () => abort.abort(), { once: true })
    this.#connecting ??= this.#connect(abort.signal).finally(() => {
      this.#connecting = undefined
      this.#abort = undefined
    })
    await this.#connecting
  }

  async disconnect(): Promise<void> {
    clearTimeout(this.#reconnect)
    this.#wasLive = false
    this.#abort?.abort()
    await this.#connecting?.catch(() => undefined)
    await this.machine.disconnect()
  }

  async setSampling(mode: SamplingMode, rate: number): Promise<void> {
    this.#sampling = { mode, rate }
    this.#onChange()
    await this.#applySampling()
  }

  subscribe(subscription: Subscription, listener: (frame: Frame) => void): Unsubscribe {
    this.#subscriptions.set(listener, subscription)
    // A new consumer needs a complete first sample also where the machine stands still.
    void this.#applySampling().catch(() => undefined)
    return () => {
      this.#subscriptions.delete(listener)
      void this.#applySampling().catch(() => undefined)
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    this.#epoch++
    await this.machine.connect(AbortSignal.any([signal, AbortSignal.timeout(CONNECT_DEADLINE)]))
    this.#attempt = 0
    this.#wasLive = true
    if (this.machine.samplesOnRequestOnly && this.#sampling.mode === 'free') this.#sampling = { ...this.#sampling, mode: 'off' }
    await this.#applySampling()
  }

  async #applySampling(): Promise<void> {
    if (this.machine.status.connection !== 'live' && this.machine.status.connection !== 'stale') return
    const wanted = [...this.#subscriptions.values()]
    await this.machine.setSampling({
      mode: wanted.length === 0 ? 'off' : this.#sampling.mode,
      rate: this.#sampling.rate,
      spaces: allSpaces.filter((space) => wanted.some(({ spaces }) => spaces.includes(space))),
      picture: wanted.some(({ picture }) => picture),
    })
  }

  #onSample({ cost, ...sample }: Sample): void {
    const now = performance.now()
    this.#sampleTimes.push(now)
    this.#dropOldTimes(now)
    if (cost !== undefined) this.#cost = cost
    const frame: Frame = { ...sample, machine: this.machine.name, epoch: this.#epoch, seq: this.#seq++ }
    for (const listener of this.#subscriptions.keys()) listener(frame)
  }

  #measuredRate(): number {
    this.#dropOldTimes(performance.now())
    return this.#sampleTimes.length / (WINDOW / 1_000)
  }

  #dropOldTimes(now: number): void {
    const firstKept = this.#sampleTimes.findIndex((time) => time > now - WINDOW)
    this.#sampleTimes.splice(0, firstKept < 0 ? this.#sampleTimes.length : firstKept)
  }

  #onStatus(): void {
    if (this.machine.status.connection === 'lost' && this.#wasLive && !this.#connecting) this.#scheduleReconnect()
    if (this.machine.status.connection === 'idle') this.#wasLive = false
    this.#onChange()
  }

  #scheduleReconnect(): void {
    clearTimeout(this.#reconnect)
    const wait = BACK_OFF[Math.min(this.#attempt, BACK_OFF.length - 1)] ?? 0
    this.#attempt++
    this.#reconnect = setTimeout(() => {
      this.connect(new AbortController().signal).catch((error: unknown) => {
        // A cancelled attempt is the person's own wish; every other failure is tried again.
        if (this.#wasLive && toFailure(error).code !== 'CANCELLED') this.#scheduleReconnect()
      })
    }, wait)
  }
}
