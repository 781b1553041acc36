import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import { streamKinds, type StreamKind } from '@shared/contract/machine'
import { SerialQueue } from '@shared/serialQueue'
import type { Notes } from '../notes'
import type { UltimateApi } from './api'
import type { Ends } from './rest'
import type { StreamReceiver } from './streamReceiver'

export interface StreamsOptions {
  readonly api: UltimateApi
  readonly receiver: StreamReceiver
  readonly ends: () => Ends | null
  readonly notes: Notes
  readonly noteName: string
  /** Whether the machine is paused, so that its streams may be silent. */
  readonly paused: () => boolean
}

/** The first start may do nothing while the device looks up our network address. */
const MAX_START_ATTEMPTS = 3
const FIRST_PACKET_DEADLINE_MS = 1_500
const FIRST_PACKET_POLL_MS = 20
/**
 * A stream without packets between two checks is restarted: the device was switched off and on, or forgot our address.
 */
const CHECK_INTERVAL_MS = 1_500

const noteSchema = z.array(z.enum(streamKinds))

/** The two together exceed the device's network bandwidth. */
const excluded: Partial<Record<StreamKind, StreamKind>> = { video: 'debug', debug: 'video' }

export class Streams {
  readonly #options: StreamsOptions
  readonly #on = new Set<StreamKind>()
  readonly #end = new AbortController()
  readonly #checkTimer: NodeJS.Timeout
  #counts = new Map<StreamKind, number>()
  readonly #changes = new SerialQueue()

  constructor(options: StreamsOptions) {
    this.#options = options
    this.#checkTimer = setInterval(() => this.#check(), CHECK_INTERVAL_MS)
  }

  async stopLeftovers(signal: AbortSignal): Promise<void> {
    for (const stream of this.#started) await this.#stop(stream, signal)
  }

  /** Video and debug switch each other off. Resolves when packets arrive. */
  set(stream: StreamKind, on: boolean, signal: AbortSignal): Promise<void> {
    return this.#changes.run(async () => {
      if (this.#on.has(stream) === on) return
      const other = excluded[stream]
      if (on && other && this.#on.has(other)) await this.#stop(other, signal)
      await (on ? this.#start(stream, signal) : this.#stop(stream, signal))
    })
  }

  /** Ignores packets sent before. A stream that does not start is tried again at each check. */
  async restart(): Promise<void> {
    const running = [...this.#on]
    for (const stream of running) this.#options.receiver.close(stream)
    await Promise.allSettled(running.map((stream) => this.#restartOne(stream)))
  }

  isOn(stream: StreamKind): boolean {
    return this.#on.has(stream)
  }

  /** Streams that cannot be stopped now are stopped at the next connection. */
  async close(signal: AbortSignal): Promise<void> {
    this.abandon()
    await this.#changes.settled()
    try {
      await this.stopLeftovers(signal)
    } finally {
      this.#options.receiver.closeAll()
    }
  }

  abandon(): void {
    clearInterval(this.#checkTimer)
    this.#end.abort()
    this.#options.receiver.closeAll()
  }

  #check(): void {
    const counts = new Map(this.#options.receiver.counts.map(({ stream, packets }) => [stream, packets]))
    for (const stream of this.#on) {
      if (this.#options.paused() || counts.get(stream) !== this.#counts.get(stream)) continue
      this.#restartOne(stream).catch(() => undefined) // tried again at the next check
    }
    this.#counts = counts
  }

  #restartOne(stream: StreamKind): Promise<void> {
    return this.#changes.run(async () => {
      if (!this.#on.has(stream)) return
      await this.#start(stream, this.#end.signal).finally(() => this.#on.add(stream))
    })
  }

  async #start(stream: StreamKind, signal: AbortSignal): Promise<void> {
    const { api, receiver } = this.#options
    const ends = this.#options.ends()
    if (!ends || ends.local.includes(':')) {
      throw new AppError('UNSUPPORTED', 'The Ultimate streams to IPv4 addresses only.', {
        hint: 'Connect to it by its IPv4 address.',
      })
    }
    const port = await receiver.open(stream, ends.device)
    this.#storeStarted([...this.#started, stream])
    try {
      for (let attempt = 1; ; attempt++) {
        const isLast = attempt === MAX_START_ATTEMPTS
        try {
          await api.startStream(stream, `${ends.local}:${port}`, signal)
        } catch (error) {
          if (!isAddressUnknown(error)) throw hasNoCable(error) ? noCable(stream) : error
          if (isLast) throw error
          continue
        }
        if (await this.#arrives(stream, signal)) {
          this.#on.add(stream)
          return
        }
        if (isLast) throw nothingArrived(stream)
      }
    } catch (error) {
      await this.#stop(stream, AbortSignal.timeout(FIRST_PACKET_DEADLINE_MS)).catch(() => undefined)
      throw error
    }
  }

  async #stop(stream: StreamKind, signal: AbortSignal): Promise<void> {
    this.#on.delete(stream)
    this.#options.receiver.close(stream)
    if (!this.#started.includes(stream)) return
    await this.#options.api.stopStream(stream, signal)
    this.#storeStarted(this.#started.filter((other) => other !== stream))
  }

  async #arrives(stream: StreamKind, signal: AbortSignal): Promise<boolean> {
    for (let waited = 0; waited < FIRST_PACKET_DEADLINE_MS; waited += FIRST_PACKET_POLL_MS) {
      if (this.#options.receiver.counts.some((count) => count.stream === stream && count.packets > 0)) return true
      await sleep(FIRST_PACKET_POLL_MS, undefined, { signal })
    }
    return false
  }

  get #started(): StreamKind[] {
    const text = this.#options.notes.get(this.#options.noteName)
    if (text === undefined) return []
    try {
      return noteSchema.safeParse(JSON.parse(text)).data ?? []
    } catch {
      return []
    }
  }

  #storeStarted(streams: readonly StreamKind[]): void {
    const { notes, noteName } = this.#options
    if (streams.length === 0) notes.delete(noteName)
    else notes.set(noteName, JSON.stringify([...new Set(streams)]))
  }
}

/** The device did not find our address, or has no link yet. */
const isAddressUnknown = (error: unknown): boolean => error instanceof AppError && error.message.includes('Resolve')

const hasNoCable = (error: unknown): boolean =>
  error instanceof AppError && /network interface|no link/i.test(error.message)

const noCable = (stream: StreamKind): AppError =>
  new AppError('CONFLICT', `The Ultimate cannot send its ${stream} stream: its network cable is not plugged in.`, {
    hint: 'Connect the Ultimate by cable: its streams do not work over Wi-Fi.',
  })

const nothingArrived = (stream: StreamKind): AppError =>
  new AppError('TIMEOUT', `The Ultimate started its ${stream} stream, but no packets arrive.`, {
    hint: 'Connect the Ultimate by cable (not Wi-Fi) to the same network as this computer, and allow UDP in the firewall.',
  })
