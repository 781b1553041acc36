import { AppError } from '@shared/contract/errors'
import { AnswerTimer } from '../answerTimer'
import type { ByteStream } from './byteStream'

export interface Wait {
  /** For all bytes together, ms. */
  readonly deadline: number
  readonly signal?: AbortSignal
}

export class StreamReader {
  #pieces: Uint8Array[] = []
  #length = 0
  #closed: AppError | undefined
  #wake: () => void = () => undefined
  readonly #unsubscribe: () => void

  constructor(stream: ByteStream) {
    const stopData = stream.onData((bytes) => {
      this.#pieces.push(new Uint8Array(bytes))
      this.#length += bytes.length
      this.#wake()
    })
    const stopClose = stream.onClose((reason) => {
      this.#closed = reason
      this.#wake()
    })
    this.#unsubscribe = () => {
      stopData()
      stopClose()
    }
  }

  get available(): number {
    return this.#length
  }

  take(length = this.#length): Uint8Array {
    const whole = this.#joined()
    const rest = whole.subarray(length)
    this.#pieces = rest.length > 0 ? [rest] : []
    this.#length = rest.length
    return whole.slice(0, length)
  }

  /**
   * On failure the bytes that arrived can still be taken.
   * @throws AppError TIMEOUT, CANCELLED, or the reason for which the line ended
   */
  async readExactly(length: number, { deadline, signal }: Wait): Promise<Uint8Array> {
    const end = performance.now() + deadline
    while (this.#length < length) {
      if (this.#closed) throw this.#closed
      if (!(await this.#more(end - performance.now(), signal)) && this.#length < length) {
        throw new AppError('TIMEOUT', `Only ${this.#length} of ${length} bytes arrived in time.`, {
          details: { arrived: this.#length },
        })
      }
    }
    return this.take(length)
  }

  /**
   * Takes the bytes up to the position that `end` returns, once it is not -1.
   * @throws AppError TIMEOUT, CANCELLED, or the reason for which the line ended
   */
  async readUntil(end: (bytes: Uint8Array) => number, { deadline, signal }: Wait): Promise<Uint8Array> {
    const last = performance.now() + deadline
    for (;;) {
      const found = end(this.#joined())
      if (found >= 0) return this.take(found)
      if (this.#closed) throw this.#closed
      if (!(await this.#more(last - performance.now(), signal))) {
        throw new AppError('TIMEOUT', 'The end of the answer did not arrive in time.', {
          details: { arrived: this.#length },
        })
      }
    }
  }

  /**
   * Takes all bytes until none arrives for `quietMs`, or until `maxMs` have passed.
   * @throws AppError CANCELLED
   */
  async readUntilQuiet(quietMs: number, maxMs: number, signal?: AbortSignal): Promise<Uint8Array> {
    const end = performance.now() + maxMs
    while (!this.#closed && (await this.#more(Math.min(quietMs, end - performance.now()), signal)));
    return this.take()
  }

  /** Stops listening and drops all bytes; pending reads fail as if the line had closed. */
  stop(): void {
    this.#unsubscribe()
    this.#pieces = []
    this.#length = 0
    this.#closed ??= new AppError('LOST', 'The connection is closed.', { hint: 'Connect it again.' })
    this.#wake()
  }

  #joined(): Uint8Array {
    const [only = new Uint8Array(0), ...others] = this.#pieces
    if (others.length === 0) return only
    const whole = new Uint8Array(this.#length)
    let at = 0
    for (const piece of this.#pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    this.#pieces = [whole]
    return whole
  }

  #more(timeMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        settle()
        reject(new AppError('CANCELLED', 'The operation was cancelled.'))
      }
      const settle = (): void => {
        timer.clear()
        signal?.removeEventListener('abort', cancel)
        this.#wake = () => undefined
      }
      const timer = new AnswerTimer(Math.max(0, timeMs), () => {
        settle()
        resolve(false)
      })
      this.#wake = () => {
        settle()
        resolve(true)
      }
      if (signal?.aborted) cancel()
      signal?.addEventListener('abort', cancel, { once: true })
    })
  }
}
