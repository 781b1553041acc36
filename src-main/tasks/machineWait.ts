import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'

export interface MachineWaitOptions {
  readonly isConnected: () => boolean
  readonly needsPerson: () => boolean
  readonly limitSeconds: number
  readonly signal: AbortSignal
  readonly onChange: () => void
  readonly say: (line: string) => void
}

const MACHINE_POLL_MS = 200

export class MachineWait {
  readonly #options: MachineWaitOptions
  #reason: string | null = null
  #resume: (() => void) | undefined

  constructor(options: MachineWaitOptions) {
    this.#options = options
  }

  get reason(): string | null {
    return this.#reason
  }

  get waitsForPerson(): boolean {
    return this.#resume !== undefined
  }

  resume(): void {
    this.#resume?.()
  }

  clear(): void {
    this.#reason = null
  }

  /**
   * @param since the `performance.now()` of the loss
   * @throws AppError LOST once it has been waited for long enough
   */
  async untilBack(loss: unknown, since: number): Promise<void> {
    const { isConnected, needsPerson, limitSeconds, signal, say } = this.#options
    const { message } = toFailure(loss)
    this.#setReason(`The machine is lost: ${message}`)
    say(`waits for its machine, ${limitSeconds} s at most: ${message}`)
    do {
      if (performance.now() - since > limitSeconds * 1000) {
        throw new AppError('LOST', `The machine did not come back within ${limitSeconds} s: ${message}`)
      }
      await sleep(MACHINE_POLL_MS, undefined, { signal })
    } while (!isConnected())
    if (needsPerson()) await this.#untilResumed()
    this.#setReason(null)
    say('goes on: its machine is back')
  }

  async #untilResumed(): Promise<void> {
    const { signal, say } = this.#options
    say('its machine is back; waits to be resumed')
    const answered = new Promise<void>((resolve) => {
      this.#resume = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (signal.aborted) resolve()
    })
    this.#setReason('The machine is back. Resume the task to go on.')
    await answered
    this.#resume = undefined
    signal.throwIfAborted()
  }

  #setReason(reason: string | null): void {
    this.#reason = reason
    this.#options.onChange()
  }
}
