import { MAX_NOTED_WRITES, type NotedByte as NotedByteState, type NotedWrite } from '@shared/contract/running'

/** A byte whose writes are noted from now on. */
export class NotedByte {
  readonly #address: number
  readonly #since = Date.now()
  readonly #by: NotedByteState['by']
  #value: number | null
  #count = 0
  #writes: readonly NotedWrite[] = []

  /** @param value what it holds now; null where that is not known yet */
  constructor(address: number, by: NotedByteState['by'], value: number | null) {
    this.#address = address
    this.#by = by
    this.#value = value
  }

  get address(): number {
    return this.#address
  }

  /** What it held last. */
  get value(): number | null {
    return this.#value
  }

  get state(): NotedByteState {
    const { address } = this
    return { address, since: this.#since, by: this.#by, count: this.#count, writes: [...this.#writes] }
  }

  /** It was seen to hold this without being written. */
  found(value: number): void {
    this.#value = value
  }

  written(to: number, time: number, by: NotedWrite['by']): void {
    const write = { time, by, from: this.#value, to }
    this.#value = to
    this.#count++
    this.#writes = [write, ...this.#writes].slice(0, MAX_NOTED_WRITES)
  }
}
