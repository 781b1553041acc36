/** Switches an Ultimate's streams on and off, and sees to it that none is left running when we go. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import { streamKinds, type StreamKind } from '@shared/contract/machine'
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
  /** The machine stands still, and so may its streams. */
  readonly paused: () => boolean
}

/** The first start after a while may do nothing, where the device has yet to learn our address. */
const ATTEMPTS = 3
/** How long its first packet may take, ms. */
const FIRST_PACKET = 1_500
const LOOK = 20
/** A stream that is silent for two looks is started again: the device was switched off and on, or forgot our address. */
const WATCH = 1_500

const noteSchema = z.array(z.enum(streamKinds))

/** Both together are more than the device's network line carries. */
const excluded: Partial<Record<StreamKind, StreamKind>> = { video: 'debug', debug: 'video' }

export class Streams {
  readonly #options: StreamsOptions
  readonly #on = new Set<StreamKind>()
  readonly #end = new AbortController()
  readonly #watch: NodeJS.Timeout
  /** Packets of each stream at the last look. */
  #seen = new Map<StreamKind, number>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: StreamsOptions) {
    this.#options = options
    this.#watch = setInterval(() => this.#look(), WATCH)
  }

  /** Stops what an earlier session of ours started and did not live to stop. */
  async stopLeftOvers(signal: AbortSignal): Promise<void> {
    for (const stream of this.#noted) await this.#stop(stream, signal)
  }

  /** Video and debug exclude each other: switching one on switches the other off. Resolves when packets come in. */
  set(stream: StreamKind, on: boolean, signal: AbortSignal): Promise<void> {
    return this.#inOrder(async () => {
      if (this.#on.has(stream) === on) return
      const other = excluded[stream]
      if (on && other && this.#on.has(other)) await this.#stop(other, signal)
      await (on ? this.#start(stream, signal) : this.#stop(stream, signal))
    })
  }

  /** Takes nothing more of what runs, and starts it anew. What does not start now is tried again at each look. */
  async restart(): Promise<void> {
    const running = [...this.#on]
    for (const stream of running) this.#options.receiver.close(stream)
    await Promise.allSettled(running.map((stream) => this.#startAgain(stream)))
  }

  isOn(stream: StreamKind): boolean {
    return this.#on.has(stream)
  }

  /** Stops all that runs; what cannot be stopped now is stopped at the next connection. */
  async close(signal: AbortSignal): Promise<void> {
    this.abandon()
    await this.#last
    try {
      await this.stopLeftOvers(signal)
    } finally {
      this.#options.receiver.closeAll()
    }
  }

  /** For a device that is gone. */
  abandon(): void {
    clearInterval(this.#watch)
    this.#end.abort()
    this.#options.receiver.closeAll()
  }

  #look(): void {
    const seen = new Map(this.#options.receiver.counts.map(({ stream, packets }) => [stream, packets]))
    for (const stream of this.#on) {
      if (this.#options.paused() || seen.get(stream) !== this.#seen.get(stream)) continue
      this.#startAgain(stream).catch(() => undefined) // tried again at the next look
    }
    this.#seen = seen
  }

  #startAgain(stream: StreamKind): Promise<void> {
    return this.#inOrder(async () => {
      if (!this.#on.has(stream)) return
      await this.#start(stream, this.#end.signal).finally(() => this.#on.add(stream))
    })
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  async #start(stream: StreamKind, signal: AbortSignal): Promise<void> {
    const { api, receiver } = this.#options
    const ends = this.#options.ends()
    if (!ends || ends.local.includes(':')) {
      throw new AppError(
        'UNSUPPORTED',
        'The Ultimate sends its streams to IPv4 addresses only, and it was reached by another.',
        {
          hint: 'Connect to it by its IPv4 address.',
        },
      )
    }
    const port = await receiver.open(stream, ends.device)
    this.#note([...this.#noted, stream])
    try {
      for (let attempt = 1; ; attempt++) {
        const isLast = attempt === ATTEMPTS
        try {
          await api.startStream(stream, `${ends.local}:${port}`, signal)
        } catch (error) {
          if (!isUnresolved(error)) throw hasNoCable(error) ? noCable(stream) : error
          if (isLast) throw error
          continue
        }
        if (await this.#comesIn(stream, signal)) {
          this.#on.add(stream)
          return
        }
        if (isLast) throw nothingCame(stream)
      }
    } catch (error) {
      await this.#stop(stream, AbortSignal.timeout(FIRST_PACKET)).catch(() => undefined)
      throw error
    }
  }

  async #stop(stream: StreamKind, signal: AbortSignal): Promise<void> {
    this.#on.delete(stream)
    this.#options.receiver.close(stream)
    if (!this.#noted.includes(stream)) return
    await this.#options.api.stopStream(stream, signal)
    this.#note(this.#noted.filter((other) => other !== stream))
  }

  async #comesIn(stream: StreamKind, signal: AbortSignal): Promise<boolean> {
    for (let waited = 0; waited < FIRST_PACKET; waited += LOOK) {
      if (this.#options.receiver.counts.some((count) => count.stream === stream && count.packets > 0)) return true
      await sleep(LOOK, undefined, { signal })
    }
    return false
  }

  /** Streams that we started on this device and have not stopped. */
  get #noted(): StreamKind[] {
    const text = this.#options.notes.get(this.#options.noteName)
    if (text === undefined) return []
    try {
      return noteSchema.safeParse(JSON.parse(text)).data ?? []
    } catch {
      return []
    }
  }

  #note(streams: readonly StreamKind[]): void {
    const { notes, noteName } = this.#options
    if (streams.length === 0) notes.delete(noteName)
    else notes.set(noteName, JSON.stringify([...new Set(streams)]))
  }
}

/** It found nobody with our address in its network, or has no link yet. */
const isUnresolved = (error: unknown): boolean => error instanceof AppError && error.message.includes('Resolve')

const hasNoCable = (error: unknown): boolean =>
  error instanceof AppError && /network interface|no link/i.test(error.message)

const noCable = (stream: StreamKind): AppError =>
  new AppError('CONFLICT', `The Ultimate cannot send its ${stream} stream: its network cable is not plugged in.`, {
    hint: 'Connect the Ultimate with a network cable: its streams do not go over Wi-Fi.',
  })

const nothingCame = (stream: StreamKind): AppError =>
  new AppError('TIMEOUT', `The Ultimate started its ${stream} stream, but nothing of it arrives here.`, {
    hint: 'Streams need the Ultimate’s network cable (not Wi-Fi), this computer in the same network, and a firewall that lets UDP through.',
  })
