import type { Segment } from '@shared/contract/frames'
import { MAX_NOTED_BYTES, type NotedByte as NotedByteState } from '@shared/contract/running'
import { NotedByte } from './notedByte'
import { tooManyNoted } from './refusals'

export class SampledWrites {
  readonly #bytes = new Map<number, NotedByte>()

  get list(): NotedByteState[] {
    return [...this.#bytes.values()].map(({ state }) => state)
  }

  /** @throws AppError CONFLICT at the limit of noted bytes */
  note(address: number, reason: string | null = null): void {
    if (this.#bytes.has(address)) return
    if (this.#bytes.size >= MAX_NOTED_BYTES) throw tooManyNoted()
    this.#bytes.set(address, new NotedByte(address, 'samples', null, reason))
  }

  end(address: number): void {
    this.#bytes.delete(address)
  }

  clear(): void {
    this.#bytes.clear()
  }

  /** @param time ms since 1970 */
  sampled(segments: readonly Segment[], time: number): void {
    if (this.#bytes.size === 0) return
    for (const { space, address, bytes } of segments) {
      if (space !== 'cpu') continue
      for (const noted of this.#bytes.values()) {
        const value = bytes[noted.address - address]
        if (value === undefined || value === noted.value) continue
        if (noted.value === null) noted.found(value)
        else noted.written(value, time, { by: null })
      }
    }
  }
}
