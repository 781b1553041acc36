import type { Duplex } from 'node:stream'
import { AppError } from '@shared/contract/errors'
import { Listeners, type Unsubscribe } from '../listeners'

export interface ByteStream {
  /**
   * Resolves when the operating system has accepted all bytes. Rejects once the line is closed, or with CANCELLED where
   * `signal` ends the wait; the bytes are still sent once the other side accepts them.
   */
  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void>
  /** Each listener gets every piece that arrives from now on; bytes that arrive without a listener are lost. */
  onData(listener: (bytes: Uint8Array) => void): Unsubscribe
  /** Called once when the line ends without {@link close}, immediately if it already has. */
  onClose(listener: (reason: AppError) => void): Unsubscribe
  /** Safe to call twice. Bytes that are not written yet may be lost. */
  close(): Promise<void>
}

export interface DuplexEnds {
  readonly lost: (error: Error | undefined) => AppError
  readonly closed: () => AppError
  readonly release: () => Promise<void>
}

export class DuplexByteStream implements ByteStream {
  readonly #duplex: Duplex
  readonly #ends: DuplexEnds
  readonly #dataListeners = new Listeners<Uint8Array>()
  readonly #closeListeners = new Listeners<AppError>()
  readonly onData = this.#dataListeners.add
  readonly #writing = new Set<(reason: AppError) => void>()
  #ended: AppError | undefined
  #lost: AppError | undefined
  #error: Error | undefined
  #closing: Promise<void> | undefined

  constructor(duplex: Duplex, ends: DuplexEnds) {
    this.#duplex = duplex
    this.#ends = ends
    duplex.on('data', (bytes: Uint8Array) => this.#dataListeners.notify(bytes))
    duplex.on('error', (error: Error) => {
      this.#error = error // `close` follows
    })
    duplex.on('close', (reason: unknown) => this.#lose(reason instanceof Error ? reason : this.#error))
  }

  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (reason: AppError): void => {
        settle()
        reject(reason)
      }
      const cancel = (): void => refuse(new AppError('CANCELLED', 'The operation was cancelled.'))
      const settle = (): void => {
        this.#writing.delete(refuse)
        signal?.removeEventListener('abort', cancel)
      }
      if (this.#ended || signal?.aborted) {
        if (this.#ended) reject(this.#ended)
        else cancel()
        return
      }
      this.#writing.add(refuse)
      signal?.addEventListener('abort', cancel, { once: true })
      this.#duplex.write(bytes, (error) => {
        if (error) refuse(this.#ended ?? this.#ends.lost(error))
        else {
          settle()
          resolve()
        }
      })
    })
  }

  onClose(listener: (reason: AppError) => void): Unsubscribe {
    if (this.#lost) {
      listener(this.#lost)
      return () => undefined
    }
    return this.#closeListeners.add(listener)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (this.#ended) return
    this.#closeListeners.clear()
    this.#end(this.#ends.closed())
    await this.#ends.release()
  }

  #lose(error: Error | undefined): void {
    if (this.#ended) return
    this.#lost = this.#ends.lost(error)
    this.#end(this.#lost)
    this.#duplex.destroy()
  }

  #end(reason: AppError): void {
    this.#ended = reason
    this.#dataListeners.clear()
    for (const refuse of this.#writing) refuse(reason)
    this.#writing.clear()
    this.#closeListeners.notify(reason)
    this.#closeListeners.clear()
  }
}
