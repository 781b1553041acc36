import type { C64Key } from '@shared/c64/keyboardMatrix'

/** Each state of the keyboard lasts at least so long, ms: two NTSC frames, of which the KERNAL scans the keyboard in each. */
export const SHORTEST_STATE = 34

/**
 * Hands on the whole sets of keys held down, in their order, none shorter than the machine can notice: a tap between
 * two scans of the keyboard, or two keys in one, would otherwise be lost or mixed.
 */
export class KeyPacer {
  readonly #send: (keys: readonly C64Key[]) => void
  readonly #clock: () => number
  readonly #waiting: (readonly C64Key[])[] = []
  #last = ''
  #sentAt = -Infinity
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(send: (keys: readonly C64Key[]) => void, clock: () => number = () => performance.now()) {
    this.#send = send
    this.#clock = clock
  }

  /** A set that is the same as the one before is no new state. */
  set(keys: readonly C64Key[]): void {
    const text = keys.join()
    if (text === this.#last) return
    this.#last = text
    this.#waiting.push(keys)
    if (this.#timer === undefined) this.#next()
  }

  #next(): void {
    this.#timer = undefined
    const keys = this.#waiting[0]
    if (keys === undefined) return
    const wait = this.#sentAt + SHORTEST_STATE - this.#clock()
    if (wait <= 0) {
      this.#waiting.shift()
      this.#sentAt = this.#clock()
      this.#send(keys)
    }
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#next(), wait <= 0 ? SHORTEST_STATE : wait)
  }
}
