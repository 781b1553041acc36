/** Talks to the stub over a line that may lose, double or change bytes: one request in flight, repeated until answered. */
import { AppError } from '@shared/contract/errors'
import type { ByteStream } from '../bytestream/byteStream'
import {
  encodeFrame,
  FrameDecoder,
  hello,
  LAST_SEQUENCE,
  lineBytes,
  partOffsets,
  readAnswer,
  type Frame,
  type Hello,
  type Request,
} from './codec'

/** How often a request is sent before the stub counts as silent. */
const ATTEMPTS = 6

/**
 * What an answer may take beside its time on the line and the stub's work: the computer, adapters, VICE's pauses; ms. Half of
 * it more with each repetition: on a busy computer VICE falls behind.
 */
const LATENCY_MS = 300

/**
 * A reply with a damaged part is over once nothing comes for so long, ms; adapters hold bytes back for up to 16 ms. As much
 * more with each repetition.
 */
const QUIET_MS = 60

/** Until the stub said otherwise. */
const SLOWEST = 38_400
const BITS_PER_BYTE = 10

/** One wake-up byte more for each so many baud: the stub takes up to 300 cycles until it is ready for one after the other. */
const BAUD_PER_WAKE_UP = 32_000
const FASTEST = 230_400

/** The slower of the two standards' clocks, cycles a millisecond. */
const CLOCK = 985

export class StubClient {
  readonly #stream: ByteStream
  readonly #decoder = new FrameDecoder()
  readonly #stopListening: () => void
  readonly #silenceListeners = new Set<(silent: boolean) => void>()
  #sequence = 1 + Math.floor(Math.random() * LAST_SEQUENCE)
  /** Null until a stub behind a TCP port has said it. */
  #baud: number | null
  /** The last request in line, whether it succeeds or not. */
  #last: Promise<unknown> = Promise.resolve()
  #receive: (frames: readonly (Frame | null)[]) => void = () => undefined
  readonly #closing = new AbortController()
  #silent = false
  #bytes = 0

  /** Takes the line over, and closes it where this fails. Throws TIMEOUT where no stub answers. */
  static async connect(
    stream: ByteStream,
    baud: number | null,
    signal: AbortSignal,
  ): Promise<{ client: StubClient; hello: Hello }> {
    const client = new StubClient(stream, baud)
    try {
      const greeting = await client.request(hello(), signal)
      client.#baud ??= greeting.baud
      return { client, hello: greeting }
    } catch (error) {
      await client.close()
      throw error
    }
  }

  private constructor(stream: ByteStream, baud: number | null) {
    this.#stream = stream
    this.#baud = baud
    const stopData = stream.onData((bytes) => {
      this.#bytes += bytes.length
      this.#receive(this.#decoder.push(bytes))
    })
    const stopClose = stream.onClose((reason) => this.#closing.abort(reason))
    this.#stopListening = () => {
      stopData()
      stopClose()
    }
  }

  /** Bits per second of the line. */
  get baud(): number {
    return this.#baud ?? SLOWEST
  }

  /** Bytes that went over the line so far, both ways. */
  get bytes(): number {
    return this.#bytes
  }

  /** True once the stub left a request unanswered, until it answers one. */
  get silent(): boolean {
    return this.#silent
  }

  onSilence(listener: (silent: boolean) => void): void {
    this.#silenceListeners.add(listener)
  }

  /** Called once with the reason when the line ends by itself. */
  onClose(listener: (reason: AppError) => void): void {
    this.#stream.onClose(listener)
  }

  /**
   * The answer, once the requests before it have theirs. A request that is cancelled on its way may be carried out.
   * @throws AppError TIMEOUT, CANCELLED, what the stub refused, or the reason for which the line ended
   */
  request<Reply>(request: Request<Reply>, signal: AbortSignal): Promise<Reply> {
    const answer = this.#last.then(() => this.#exchange(request, AbortSignal.any([signal, this.#closing.signal])))
    this.#last = answer.catch(() => undefined)
    return unlessAborted(answer, signal)
  }

  async close(): Promise<void> {
    this.#stopListening()
    this.#closing.abort()
    await this.#stream.close()
  }

  async #exchange<Reply>(request: Request<Reply>, signal: AbortSignal): Promise<Reply> {
    this.#sequence = (this.#sequence % LAST_SEQUENCE) + 1
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const data = await this.#attempt(request, attempt, signal)
      if (data === undefined) continue
      this.#setSilent(false)
      return request.parse(data)
    }
    this.#setSilent(true)
    throw new AppError('TIMEOUT', `The stub does not answer (it was asked ${ATTEMPTS} times to ${request.does}).`, {
      hint: 'Check that it runs on the C64 (LOAD "STUB",8 and RUN), that both sides have the same speed, and the cable. A program that takes the NMI silences it.',
    })
  }

  /** Sends the request once. @returns undefined where the answer did not come whole */
  async #attempt(request: Request<unknown>, repetition: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    if (signal.aborted) throw abortReason(signal)
    const wakeUp = 1 + Math.ceil((this.#baud ?? FASTEST) / BAUD_PER_WAKE_UP)
    const frame = encodeFrame({ ...request, sequence: this.#sequence }, wakeUp)
    const answer = this.#collect(request, repetition, signal)
    this.#bytes += frame.length
    // Where the line fails, its end ends the wait.
    this.#stream.write(frame).catch(() => undefined)
    return answer
  }

  #collect(request: Request<unknown>, repetition: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const patienceMs = this.#patienceMs(request, repetition)
    const quietMs = QUIET_MS * (1 + repetition)
    const data = new Uint8Array(request.replyLength)
    const missing = new Set(partOffsets(request.replyLength))
    let damaged = false
    let settled = false
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        settled = true
        clearTimeout(timer)
        signal.removeEventListener('abort', cancel)
        this.#receive = () => undefined
        end()
      }
      const giveUp = (): void => settle(() => (signal.aborted ? reject(abortReason(signal)) : resolve(undefined)))
      let timer = setTimeout(giveUp, patienceMs)
      const wait = (time: number): void => {
        clearTimeout(timer)
        timer = setTimeout(giveUp, time)
      }
      // The stub may be sending still: that must be over before the next request.
      const cancel = (): void => wait(this.#closing.signal.aborted ? 0 : quietMs)
      const take = (frame: Frame | null): void => {
        const answer = frame && readAnswer(request, this.#sequence, frame)
        damaged ||= frame === null || answer?.kind === 'damaged'
        if (answer?.kind === 'error') {
          this.#setSilent(false)
          settle(() => reject(answer.error))
        }
        if (answer?.kind !== 'part') return
        data.set(answer.data, answer.offset)
        missing.delete(answer.offset)
        if (missing.size === 0) settle(() => resolve(data))
      }
      signal.addEventListener('abort', cancel, { once: true })
      this.#receive = (frames) => {
        if (!signal.aborted) for (const frame of frames) if (!settled) take(frame)
        if (!settled) wait(damaged || signal.aborted ? quietMs : patienceMs)
      }
    })
  }

  /** How long the next part of an answer may take, ms. */
  #patienceMs(request: Request<unknown>, repetition: number): number {
    const onLine = (Math.min(lineBytes(request), 600) * BITS_PER_BYTE * 1_000) / this.baud
    return LATENCY_MS * (1 + repetition / 2) + 2 * onLine + (2 * request.cycles) / CLOCK
  }

  #setSilent(silent: boolean): void {
    if (this.#silent === silent) return
    this.#silent = silent
    for (const listener of this.#silenceListeners) listener(silent)
  }
}

function abortReason({ reason }: AbortSignal): AppError {
  if (reason instanceof AppError) return reason
  if (reason instanceof Error && reason.name === 'TimeoutError')
    return new AppError('TIMEOUT', 'The stub did not answer in time.')
  return new AppError('CANCELLED', 'The operation was cancelled.')
}

function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => reject(abortReason(signal))
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel))
  })
}
