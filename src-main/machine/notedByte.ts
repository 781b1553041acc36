import { MAX_NOTED_WRITES, type NotedByte as NotedByteState, type NotedWrite } from '@shared/contract/running'

type WriteFacts = Pick<NotedWrite, 'by'> & Partial<Pick<NotedWrite, 'cause' | 'cycle' | 'target'>>

export class NotedByte {
  readonly #address: number
  readonly #since = Date.now()
  readonly #by: NotedByteState['by']
  readonly #reason: string | null
  #value: number | null
  #count = 0
  #writes: NotedWrite[] = []

  /**
   * @param value null where unknown
   * @param reason why there is no better source
   */
  constructor(address: number, by: NotedByteState['by'], value: number | null, reason: string | null = null) {
    this.#address = address
    this.#by = by
    this.#value = value
    this.#reason = reason
  }

  get address(): number {
    return this.#address
  }

  get value(): number | null {
    return this.#value
  }

  get state(): NotedByteState {
    return {
      address: this.#address,
      since: this.#since,
      by: this.#by,
      reason: this.#reason,
      lost: null,
      count: this.#count,
      writes: this.#writes.slice(-MAX_NOTED_WRITES).reverse(),
    }
  }

  found(value: number | null): void {
    this.#value = value
  }

  written(to: number, time: number, { by, cause, cycle = null, target = null }: WriteFacts): void {
    this.#writes.push({ time, by, cause: cause ?? (by ? 'instruction' : null), cycle, target, from: this.#value, to })
    if (this.#writes.length > 4 * MAX_NOTED_WRITES) this.#writes = this.#writes.slice(-MAX_NOTED_WRITES)
    this.#value = to
    this.#count++
  }
}
