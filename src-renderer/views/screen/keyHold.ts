import type { HostKey } from '@shared/c64/keyboard'

/** A key stays down at least so long, ms: three scans of the KERNAL, which looks at the keyboard once a frame. */
export const SHORTEST_PRESS = 60

/**
 * The host keys that are held, each as it was when it went down. A tap that is shorter than the machine's keyboard scan
 * is held a little longer, so that none is lost.
 */
export class KeyHold {
  readonly #held = new Map<string, { key: HostKey; since: number; release: ReturnType<typeof setTimeout> | undefined }>()
  readonly #onChange: (held: readonly HostKey[]) => void
  readonly #clock: () => number

  constructor(onChange: (held: readonly HostKey[]) => void, clock: () => number = () => performance.now()) {
    this.#onChange = onChange
    this.#clock = clock
  }

  press(key: HostKey): void {
    const before = this.#held.get(key.code)
    clearTimeout(before?.release)
    this.#held.set(key.code, { key, since: this.#clock(), release: undefined })
    this.#tell()
  }

  release(code: string): void {
    const held = this.#held.get(code)
    if (!held || held.release !== undefined) return
    const rest = held.since + SHORTEST_PRESS - this.#clock()
    if (rest <= 0) this.#drop(code)
    else held.release = setTimeout(() => this.#drop(code), rest)
  }

  releaseAll(): void {
    if (this.#held.size === 0) return
    for (const { release } of this.#held.values()) clearTimeout(release)
    this.#held.clear()
    this.#tell()
  }

  #drop(code: string): void {
    this.#held.delete(code)
    this.#tell()
  }

  #tell(): void {
    this.#onChange([...this.#held.values()].map(({ key }) => key))
  }
}
