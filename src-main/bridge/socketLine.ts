import type { Socket } from 'node:net'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Line } from '../rpc/transport'
import { decodeLine, encodeLine } from './jsonLine'
import type { FromBridge } from './messages'

export interface SocketLineLimits {
  readonly lineCharacters: number
  readonly values: number
  readonly unreadBytes: () => number
}

/**
 * Others have their turn after so many lines; less than a client's limit of calls in flight, so that short ones end
 * meanwhile.
 */
const LINES_PER_TURN = 16
/** ms for the last message to go out before the socket is destroyed. */
const LINGER_MS = 2_000

/** An unreadable line is delivered as `undefined`, and none after it. */
export class SocketLine implements Line {
  readonly #socket: Socket
  readonly #limits: SocketLineLimits
  readonly #onDropped: (reason: AppError) => void
  readonly #messages: ((message: unknown) => void)[] = []
  readonly #closes: (() => void)[] = []
  #isOpen = true
  #unread = ''
  #searched = 0

  constructor(socket: Socket, limits: SocketLineLimits, onDropped: (reason: AppError) => void) {
    this.#socket = socket
    this.#limits = limits
    this.#onDropped = onDropped
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      if (!this.#isOpen) return
      this.#unread += chunk
      this.#drain()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => this.#closed())
  }

  post(message: unknown): void {
    if (!this.#isOpen || !this.#socket.writable) return
    this.#socket.write(encodeLine(message))
    const { writableLength } = this.#socket
    if (writableLength <= this.#limits.unreadBytes()) return
    this.#drop(
      new AppError(
        'BUSY',
        `The client did not read its replies: ${Math.round(writableLength / 1024 / 1024)} MiB were waiting.`,
      ),
    )
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#messages.push(listener)
  }

  onClose(listener: () => void): void {
    this.#closes.push(listener)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#closed()
    this.#unread = ''
    this.#socket.end()
    // Reads on and forgets: a reset could overtake the last message.
    this.#socket.resume()
    setTimeout(() => this.#socket.destroy(), LINGER_MS).unref()
  }

  #drop(reason: AppError): void {
    this.#onDropped(reason)
    const last: FromBridge = { kind: 'failed', error: toFailure(reason) }
    this.#socket.write(encodeLine(last))
    this.close()
  }

  #drain(): void {
    for (let lines = 0; this.#isOpen;) {
      const end = this.#unread.indexOf('\n', this.#searched)
      if ((end < 0 ? this.#unread.length : end) > this.#limits.lineCharacters) {
        this.#deliver(undefined)
        return
      }
      if (end < 0) {
        this.#searched = this.#unread.length
        this.#socket.resume()
        return
      }
      const line = this.#unread.slice(0, end)
      this.#unread = this.#unread.slice(end + 1)
      this.#searched = 0
      if (line === '') continue
      this.#deliver(decodeLine(line, this.#limits.values))
      if (++lines < LINES_PER_TURN) continue
      this.#socket.pause()
      setImmediate(() => this.#drain())
      return
    }
  }

  #deliver(message: unknown): void {
    for (const listener of this.#messages) listener(message)
    if (message === undefined) this.close()
  }

  #closed(): void {
    this.#isOpen = false
    for (const listener of this.#closes.splice(0)) listener()
  }
}
