/**
 * Talks to the stub over a line that may lose, repeat or change bytes: one request at a time, repeated until answered.
 */
import { AppError } from '@shared/contract/errors'
import { SerialQueue } from '@shared/serialQueue'
import type { ByteStream } from '../bytestream/byteStream'
import { identify } from '../bytestream/identify'
import { Listeners } from '../listeners'
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

const MAX_ATTEMPTS = 6

/**
 * ms added to line time and the stub's work: delays of the computer, adapters and VICE. Each repetition adds half of
 * it, as VICE falls behind on a busy computer.
 */
const LATENCY_MS = 300

/**
 * ms without bytes that end a damaged reply; adapters hold bytes back for up to 16 ms. Each repetition adds as much.
 */
const QUIET_MS = 60

const MIN_BAUD = 38_400
const MAX_BAUD = 230_400
const BITS_PER_BYTE = 10

/** One more wake-up byte for each 32,000 baud: the stub needs up to 300 cycles before it can receive without gaps. */
const BAUD_PER_WAKE_UP = 32_000

/** Longer answers arrive in parts, each of which restarts the wait. */
const MAX_PART_BYTES = 600

/** PAL's clock, the slower of the two standards. */
const CYCLES_PER_MS = 985

const FOREIGN_HINT =
  'Check the port or the address, that the stub runs on the C64 (LOAD "STUB",8 and RUN), and that both sides use the same speed.'

export class StubClient {
  readonly #stream: ByteStream
  readonly #decoder = new FrameDecoder()
  readonly #stopListening: () => void
  readonly #silenceListeners = new Listeners<boolean>()
  readonly onSilence = this.#silenceListeners.add
  #sequence = 1 + Math.floor(Math.random() * LAST_SEQUENCE)
  /** Null until a stub behind a TCP port has reported it. */
  #baud: number | null
  readonly #requests = new SerialQueue()
  #receive: (frames: readonly (Frame | null)[]) => void = () => undefined
  readonly #closing = new AbortController()
  #silent = false
  #hasAnswered = false
  #bytes = 0

  /**
   * Closes the line on failure.
   * @param where the line's device or address, for messages
   * @throws AppError TIMEOUT where no stub answers, UNREACHABLE where something else does
   */
  static async connect(
    stream: ByteStream,
    where: string,
    baud: number | null,
    signal: AbortSignal,
  ): Promise<{ client: StubClient; hello: Hello }> {
    const client = new StubClient(stream, baud)
    try {
      const greeting = await identify(
        stream,
        { name: 'the stub’s protocol', where, hint: FOREIGN_HINT },
        () => client.#hasAnswered,
        signal,
        (until) => client.request(hello(), until),
      )
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

  get baud(): number {
    return this.#baud ?? MIN_BAUD
  }

  get bytes(): number {
    return this.#bytes
  }

  /** True from an unanswered request until the stub answers one. */
  get silent(): boolean {
    return this.#silent
  }

  onClose(listener: (reason: AppError) => void): void {
    this.#stream.onClose(listener)
  }

  /**
   * Sends the request once earlier ones are answered. A request cancelled after it was sent may still be carried out.
   * @throws AppError TIMEOUT, CANCELLED, the stub's refusal, or the reason why the line ended
   */
  request<Reply>(request: Request<Reply>, signal: AbortSignal): Promise<Reply> {
    const answer = this.#requests.run(() => this.#exchange(request, AbortSignal.any([signal, this.#closing.signal])))
    return unlessAborted(answer, signal)
  }

  async close(): Promise<void> {
    this.#stopListening()
    this.#closing.abort()
    await this.#stream.close()
  }

  async #exchange<Reply>(request: Request<Reply>, signal: AbortSignal): Promise<Reply> {
    this.#sequence = (this.#sequence % LAST_SEQUENCE) + 1
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const data = await this.#attempt(request, attempt, signal)
      if (data === undefined) continue
      this.#setSilent(false)
      return request.parse(data)
    }
    this.#setSilent(true)
    throw new AppError('TIMEOUT', `The stub did not ${request.does} after ${MAX_ATTEMPTS} attempts.`, {
      hint: 'Check that it runs on the C64 (LOAD "STUB",8 and RUN), that both sides use the same speed, and the cable. A program that uses the NMI silences it.',
    })
  }

  async #attempt(request: Request<unknown>, repetition: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    if (signal.aborted) throw abortReason(signal)
    const wakeUp = 1 + Math.ceil((this.#baud ?? MAX_BAUD) / BAUD_PER_WAKE_UP)
    const frame = encodeFrame({ ...request, sequence: this.#sequence }, wakeUp)
    const answer = this.#collect(request, repetition, signal)
    this.#bytes += frame.length
    // A failed line closes, which aborts the wait.
    this.#stream.write(frame).catch(() => undefined)
    return answer
  }

  #collect(request: Request<unknown>, repetition: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const partDeadlineMs = this.#partDeadlineMs(request, repetition)
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
      let timer = setTimeout(giveUp, partDeadlineMs)
      const wait = (timeMs: number): void => {
        clearTimeout(timer)
        timer = setTimeout(giveUp, timeMs)
      }
      // The stub may still be sending, which must end before the next request.
      const cancel = (): void => wait(this.#closing.signal.aborted ? 0 : quietMs)
      const take = (frame: Frame | null): void => {
        const answer = frame && readAnswer(request, this.#sequence, frame)
        damaged ||= frame === null || answer?.kind === 'damaged'
        this.#hasAnswered ||= answer?.kind === 'part' || answer?.kind === 'error'
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
        if (!settled) wait(damaged || signal.aborted ? quietMs : partDeadlineMs)
      }
    })
  }

  /** In ms, with a factor of two to spare. */
  #partDeadlineMs(request: Request<unknown>, repetition: number): number {
    const onLineMs = (Math.min(lineBytes(request), MAX_PART_BYTES) * BITS_PER_BYTE * 1_000) / this.baud
    return LATENCY_MS * (1 + repetition / 2) + 2 * onLineMs + (2 * request.cycles) / CYCLES_PER_MS
  }

  #setSilent(silent: boolean): void {
    if (this.#silent === silent) return
    this.#silent = silent
    this.#silenceListeners.notify(silent)
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
