import { AppError, type ErrorCode } from '@shared/contract/errors'
import type { MachineState, VideoStandard } from '@shared/contract/machine'
import type { HostAndPort } from '@shared/contract/machineName'
import type { Picture } from '@shared/contract/memory'
import type { DeviceSession } from '../deviceMachine'
import type { Notes } from '../notes'
import { UltimateApi } from './api'
import type { DebugReplay } from './debugReplay'
import { DmaService } from './dmaService'
import { FtpService } from './ftp'
import { Health } from './health'
import { Input } from './input'
import type { UltimateInfo } from './replies'
import { RestClient } from './rest'
import { StreamReceiver, type StreamListeners } from './streamReceiver'
import { Streams } from './streams'
import type { UltimateCapability } from './capabilities'

export interface SessionOptions {
  readonly address: HostAndPort
  readonly dmaPort: number
  readonly ftpPort: number
  readonly password: string | null
  readonly notes: Notes
  readonly on: StreamListeners & {
    readonly change: () => void
    /** Something other than the CPU wrote to the range. */
    readonly expired: (address: number, length: number) => void
  }
  readonly signal: AbortSignal
}

const PROBE_DEADLINE_MS = 2_000

/** Failures of an optional call that no other call would survive. */
const endsConnecting: ReadonlySet<ErrorCode> = new Set(['CANCELLED', 'FORBIDDEN', 'UNREACHABLE'])

export class Session implements DeviceSession {
  readonly info: UltimateInfo
  readonly api: UltimateApi
  readonly dma: DmaService
  readonly ftp: FtpService
  readonly input: Input
  readonly receiver: StreamReceiver
  readonly streams: Streams
  readonly unsupported: Partial<Record<UltimateCapability, string>> = {}
  readonly #health: Health
  readonly #end = new AbortController()
  readonly #onChange: () => void
  readonly #onExpired: (address: number, length: number) => void
  readonly #pictureListeners = new Set<(picture: Picture) => void>()
  #silence: AppError | null = null
  #lost: AppError | undefined
  #onLost: ((reason: AppError) => void) | undefined
  #execution: MachineState['execution'] = 'unknown'
  #standard: VideoStandard | null = null

  /** @throws AppError UNREACHABLE where no Ultimate answers, FORBIDDEN for a missing or wrong password */
  static async open(options: SessionOptions): Promise<Session> {
    const rest = new RestClient(options.address, options.password)
    const api = new UltimateApi(rest)
    const info = await api.identify(options.signal)
    const session = new Session(rest, api, info, options)
    try {
      await session.#detectCapabilities(options.signal)
      await session.streams.stopLeftovers(options.signal).catch(() => undefined)
      return session
    } catch (error) {
      session.abandon()
      throw error
    }
  }

  private constructor(
    rest: RestClient,
    api: UltimateApi,
    info: UltimateInfo,
    { address, dmaPort, ftpPort, password, notes, on }: SessionOptions,
  ) {
    this.info = info
    this.api = api
    this.dma = new DmaService({ host: address.host, port: dmaPort }, password)
    this.ftp = new FtpService({ host: address.host, port: ftpPort }, password)
    this.input = new Input(api)
    this.#onChange = on.change
    this.#onExpired = on.expired
    this.receiver = new StreamReceiver({ ...on, picture: (picture) => this.#takePicture(picture, on.picture) })
    const noteName = `ultimate:${info.uniqueId ?? `${address.host}:${address.port}`}:streams`
    this.streams = new Streams({
      api,
      receiver: this.receiver,
      ends: () => rest.ends,
      notes,
      noteName,
      paused: () => this.#execution === 'paused',
    })
    this.#health = new Health({
      probe: () => api.ping(this.ended, PROBE_DEADLINE_MS),
      onSilence: (reason) => {
        this.#silence = reason
        on.change()
      },
      onLost: (reason) => {
        this.#lost = reason
        this.#onLost?.(reason)
      },
    })
    rest.onOutcome = (failure) => this.#health.outcome(failure)
  }

  get ended(): AbortSignal {
    return this.#end.signal
  }

  get silence(): AppError | null {
    return this.#silence
  }

  onLost(listener: (reason: AppError) => void): void {
    this.#onLost = listener
    if (this.#lost) listener(this.#lost)
  }

  /** Unknown until we pause or run the machine: the device cannot report it. */
  get execution(): MachineState['execution'] {
    return this.#execution
  }

  get standard(): VideoStandard | null {
    return this.#standard
  }

  /** Up to firmware 3.15, reading or writing memory leaves the Ultimate's menu first. */
  get readingClosesMenu(): boolean {
    const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(this.info.firmware) ?? []
    return Number(major) < 3 || (Number(major) === 3 && Number(minor) < 16)
  }

  get replay(): DebugReplay | undefined {
    return this.receiver.replay
  }

  async ask<T>(capability: UltimateCapability, work: (session: Session) => Promise<T>): Promise<T> {
    try {
      return await work(this)
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNSUPPORTED' && error.details?.status !== undefined) {
        this.unsupported[capability] = error.message
        this.#onChange()
      }
      throw error
    }
  }

  async restart(start: (session: Session) => Promise<void>): Promise<void> {
    await start(this)
    this.input.forget()
    this.#setExecution('running')
  }

  async pause(signal: AbortSignal): Promise<void> {
    await this.api.pause(signal)
    this.#setExecution('paused')
  }

  async resume(signal: AbortSignal): Promise<void> {
    await this.api.resume(signal)
    this.#setExecution('running')
  }

  read(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    return this.api.readMemory(address, length, signal)
  }

  async sample(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    // I/O registers change without being written.
    const isMemory = address + length <= 0xd000 || address >= 0xe000
    const known = isMemory ? this.replay?.certain(address, length) : undefined
    if (known) return known
    this.replay?.beginRefresh()
    const bytes = await this.read(address, length, signal)
    this.replay?.refresh(address, bytes)
    return bytes
  }

  async write(address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.api.writeMemory(address, bytes, signal)
    this.#expire(address, bytes.length)
  }

  async replaceMemory(start: (session: Session) => Promise<void>): Promise<void> {
    await this.restart(start)
    this.#expire(0, 0x10000)
  }

  nextPicture(signal: AbortSignal): Promise<Picture> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#pictureListeners.delete(take)
        signal.removeEventListener('abort', giveUp)
      }
      const take = (picture: Picture): void => {
        settle()
        resolve(picture)
      }
      const giveUp = (): void => {
        settle()
        reject(
          new AppError('TIMEOUT', 'No complete picture of the video stream arrived in time.', {
            hint: 'Check the network between this computer and the Ultimate.',
          }),
        )
      }
      this.#pictureListeners.add(take)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** Resolves when the device answers and its streams were restarted: what they lost meanwhile is unknown. */
  async wake(signal: AbortSignal): Promise<void> {
    const restarted = this.streams.restart()
    await this.api.ping(signal, PROBE_DEADLINE_MS)
    await restarted
  }

  /** Stops streams and releases keys; a paused machine stays paused. */
  async close(signal: AbortSignal): Promise<void> {
    try {
      await this.streams.close(signal)
      await this.input.releaseAll(signal)
    } finally {
      this.abandon()
    }
  }

  abandon(): void {
    this.#end.abort()
    this.#health.end()
    this.streams.abandon()
  }

  async #detectCapabilities(signal: AbortSignal): Promise<void> {
    const debugRegister = await this.#probe(() => this.api.readDebugRegister(signal, PROBE_DEADLINE_MS))
    // What it says it is counts: an Ultimate 64 that does not answer this one call is still one.
    const isU64 = /64/.test(this.info.product) || debugRegister === 'offered'
    if (!isU64) this.#lacksUltimate64(debugRegister === 'missing' ? null : debugRegister)
    const input = await this.#probe(() => this.api.readInput(signal, PROBE_DEADLINE_MS))
    if (input !== 'offered') this.#lacksInput(isU64, input === 'missing' ? null : input)
    if (this.info.firmware === 'before 3.12')
      this.unsupported.menuButton = 'The menu button needs firmware 3.12 or later.'
    // A probe without an answer in time would leave the device silent.
    if (this.#silence) await this.api.ping(signal, PROBE_DEADLINE_MS)
  }

  #lacksUltimate64(oddAnswer: string | null): void {
    const onlyU64 = oddAnswer ?? 'Only an Ultimate 64 can do this; this is a cartridge in another machine.'
    this.unsupported.powerOff = oddAnswer ?? 'Only an Ultimate 64 can switch itself off.'
    this.unsupported.picture = onlyU64
    this.unsupported.videoStream = onlyU64
    this.unsupported.audioStream = onlyU64
    this.unsupported.debugStream = onlyU64
  }

  #lacksInput(isU64: boolean, oddAnswer: string | null): void {
    const keys = isU64 ? 'Holding keys needs firmware 3.15 or later.' : 'Only an Ultimate 64 can hold keys.'
    const joysticks = isU64 ? 'Joysticks need firmware 3.15 or later.' : 'Only an Ultimate 64 can control joysticks.'
    this.unsupported.keyMatrix = `${oddAnswer ?? keys} Typing text works.`
    this.unsupported.joystick = oddAnswer ?? joysticks
  }

  async #probe(call: () => Promise<unknown>): Promise<string> {
    try {
      await call()
      return 'offered'
    } catch (error) {
      if (!(error instanceof AppError) || endsConnecting.has(error.code)) throw error
      if (['UNSUPPORTED', 'NOT_FOUND'].includes(error.code)) return 'missing'
      return `Bridgedeck does without this: ${error.message} Connect again to try again.`
    }
  }

  #expire(address: number, length: number): void {
    this.replay?.expire(address, length)
    this.#onExpired(address, length)
  }

  #takePicture(picture: Picture, notify: (picture: Picture) => void): void {
    const standard = picture.height === 240 ? 'ntsc' : 'pal'
    if (standard !== this.#standard) {
      this.#standard = standard
      this.#onChange()
    }
    for (const take of [...this.#pictureListeners]) take(picture)
    notify(picture)
  }

  #setExecution(execution: MachineState['execution']): void {
    this.#execution = execution
    this.#onChange()
  }
}
