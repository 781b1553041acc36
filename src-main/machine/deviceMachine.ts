import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import type { MachineKind } from '@shared/contract/machineKinds'
import type { Space } from '@shared/contract/memory'
import { Connection } from './connection'
import { Listeners } from './listeners'
import {
  idleStatus,
  noSamples,
  type Machine,
  type MachineStatus,
  type MemoryRange,
  type Sample,
  type SampleRequest,
} from './machine'

const PROBE_INTERVAL_MS = 1_000

export interface DeviceSession {
  readonly silence: { readonly message: string; readonly hint?: string | undefined } | null
  onLost(listener: (reason: AppError) => void): void
}

export interface DeviceSampler {
  set(request: SampleRequest): void | Promise<void>
  stop(): Promise<void>
}

export abstract class DeviceMachine<
  Session extends DeviceSession,
  Sampler extends DeviceSampler = DeviceSampler,
> implements Machine {
  abstract readonly kind: MachineKind
  abstract readonly unsupported: Machine['unsupported']
  readonly name: string
  readonly #statusListeners = new Listeners()
  readonly #sampleListeners = new Listeners<Sample>()
  readonly onStatus = this.#statusListeners.add
  readonly onSample = this.#sampleListeners.add
  readonly #connection = new Connection(() => this.changed())
  #session: Session | undefined
  #sampler: Sampler | undefined
  #request = noSamples

  constructor(name: string) {
    this.name = name
  }

  abstract readMemory(range: MemoryRange, signal: AbortSignal): Promise<Uint8Array>
  abstract writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>

  protected abstract get title(): string
  protected abstract open(signal: AbortSignal, password: string | undefined): Promise<Session>
  protected abstract describe(session: Session): Partial<MachineStatus>
  protected abstract createSampler(session: Session): Sampler | undefined
  protected abstract probe(session: Session, signal: AbortSignal): Promise<void>
  /** Ends the session properly; there is none after a loss. */
  protected abstract close(session: Session | undefined): Promise<void>
  protected abstract abandon(session: Session): void

  get status(): MachineStatus {
    const { state, reason, hint } = this.#connection
    const session = this.#session
    const silence = session?.silence ?? null
    return {
      ...idleStatus(this.title),
      ...(session ? this.describe(session) : {}),
      ...(silence ? { execution: 'unknown' } : {}),
      connection: state === 'live' && silence ? 'stale' : state,
      reason: silence?.message ?? reason,
      hint: silence ? (silence.hint ?? null) : hint,
    }
  }

  async connect(signal: AbortSignal, password?: string): Promise<void> {
    if (this.#session) return
    await this.#connection.attempt(async () => {
      const session = await this.open(signal, password)
      this.#session = session
      this.#sampler = this.createSampler(session)
      this.#connection.set('live')
      session.onLost((reason) => this.#lose(session, reason))
    })
  }

  async disconnect(): Promise<void> {
    await this.leave((session) => this.close(session))
  }

  async wake(signal: AbortSignal): Promise<void> {
    const session = this.live
    await this.#endSampling()
    await this.confirm(session, signal)
    await this.restartSampling(session)
  }

  async setSampling(request: SampleRequest): Promise<void> {
    this.#request = request
    await this.#sampler?.set(request)
    this.changed()
  }

  /** @throws AppError LOST where the machine is not connected */
  protected get live(): Session {
    if (this.#session) return this.#session
    throw this.#connection.notConnected(this.title)
  }

  protected get session(): Session | undefined {
    return this.#session
  }

  protected get sampler(): Sampler | undefined {
    return this.#sampler
  }

  protected get request(): SampleRequest {
    return this.#request
  }

  protected changed(): void {
    this.#statusListeners.notify()
  }

  protected emit(sample: Sample): void {
    this.#sampleListeners.notify(sample)
  }

  protected setReason(reason: string | null, hint: string | null = null): void {
    if (this.#session && this.#connection.reason !== reason) this.#connection.set(this.#connection.state, reason, hint)
  }

  /** The machine is idle afterwards, even when `end` fails. */
  protected async leave(end: (session: Session | undefined) => Promise<void>, reason: string | null = null) {
    const session = this.#session
    this.#session = undefined
    await this.#endSampling()
    try {
      await end(session)
    } finally {
      this.#connection.set('idle', reason)
    }
  }

  /** After this computer slept: a device that does not answer is lost. */
  protected async confirm(session: Session, signal: AbortSignal): Promise<void> {
    try {
      await this.probe(session, signal)
    } catch (error) {
      const reason = `${this.title} has not answered since this computer slept.`
      this.#lose(session, new AppError('LOST', reason, { hint: 'Bridgedeck reconnects automatically.' }))
      throw error
    }
  }

  protected async restartSampling(session: Session): Promise<void> {
    await this.#endSampling()
    if (this.#session !== session) return
    this.#sampler = this.createSampler(session)
    void this.#sampler?.set(this.#request)
  }

  protected async probeUntilAnswered(session: Session): Promise<void> {
    while (this.#session === session && session.silence) {
      await sleep(PROBE_INTERVAL_MS, undefined, { ref: false })
      if (this.#session === session) await this.probe(session, new AbortController().signal).catch(() => undefined)
    }
  }

  #lose(session: Session, reason: AppError): void {
    if (this.#session !== session) return
    this.#session = undefined
    this.abandon(session)
    void this.#endSampling()
    this.#connection.set('lost', reason.message, reason.hint)
  }

  async #endSampling(): Promise<void> {
    const sampler = this.#sampler
    this.#sampler = undefined
    await sampler?.stop()
  }
}
