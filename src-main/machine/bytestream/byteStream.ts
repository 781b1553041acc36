/** Bytes to and from a device, however it is attached; the drivers' protocols know nothing of the line beneath. */
import type { Duplex } from 'node:stream'
import { AppError } from '@shared/contract/errors'
import type { Unsubscribe } from '../listeners'

export interface ByteStream {
  /**
   * Resolves when the operating system has taken all of it. Rejects with the reason once the line is closed, and with CANCELLED
   * where `signal` ends the wait: the rest goes out all the same, once the other side takes it.
   */
  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void>
  /** Each listener gets every piece that arrives from now on; what comes while nobody listens is lost. */
  onData(listener: (bytes: Uint8Array) => void): Unsubscribe
  /** Called once when the line ends other than by {@link close}, at once where it has ended already. */
  onClose(listener: (reason: AppError) => void): Unsubscribe
  /** Ends it; safe to call twice. What is not written yet may be lost. */
  close(): Promise<void>
}

export interface DuplexEnds {
  /** Why it ended, as told to the person; `error` is what the stream said, if anything. */
  readonly lost: (error: Error | undefined) => AppError
  /** Why writing is refused after {@link ByteStream.close}. */
  readonly closed: () => AppError
  /** Lets go of it. */
  readonly release: () => Promise<void>
}

/** A Node stream that is open, such as a socket or a serial port, as a {@link ByteStream}. */
export class DuplexByteStream implements ByteStream {
  readonly #duplex: Duplex
  readonly #ends: DuplexEnds
  readonly #dataListeners = new Set<(bytes: Uint8Array) => void>()
  readonly #closeListeners = new Set<(reason: AppError) => void>()
  readonly #writing = new Set<(reason: AppError) => void>()
  #ended: AppError | undefined
  /** Why it ended, where nobody closed it. */
  #lost: AppError | undefined
  #error: Error | undefined
  #closing: Promise<void> | undefined

  constructor(duplex: Duplex, ends: DuplexEnds) {
    this.#duplex = duplex
    this.#ends = ends
    duplex.on('data', (bytes: Uint8Array) => {
      for (const listener of this.#dataListeners) listener(bytes)
    })
    duplex.on('error', (error: Error) => {
      this.#error = error // `close` follows
    })
    // A serial port that was pulled out closes with an error, a socket with a flag.
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

  onData(listener: (bytes: Uint8Array) => void): Unsubscribe {
    this.#dataListeners.add(listener)
    return () => this.#dataListeners.delete(listener)
  }

  onClose(listener: (reason: AppError) => void): Unsubscribe {
    if (this.#lost) {
      listener(this.#lost)
      return () => undefined
    }
    this.#closeListeners.add(listener)
    return () => this.#closeListeners.delete(listener)
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
    for (const listener of this.#closeListeners) listener(reason)
    this.#closeListeners.clear()
  }
}
