import { eachBit, hasBit } from '@shared/bitmap'
import type { Accesses } from '@shared/contract/frames'
import { neverSince } from './spaceImages'

export const accessKinds = ['writes', 'reads', 'runs'] as const
export type AccessKind = (typeof accessKinds)[number]

/** What a machine tells of its CPU: nothing; reads and writes, as a bus shows them; or also which of the reads ran a program. */
export type AccessesTold = 'none' | 'bus' | 'all'

/** For each address, when the CPU last touched it, ms; -Infinity for never. */
export class AccessTimes {
  readonly #times: Readonly<Record<AccessKind, Float64Array>> = {
    writes: neverSince(),
    reads: neverSince(),
    runs: neverSince(),
  }
  readonly #newest = neverSince()
  readonly #kinds = new Uint8Array(0x10000)
  #told: AccessesTold = 'none'
  #stale: Uint8Array | null = null

  of(kind: AccessKind): Float64Array {
    return this.#times[kind]
  }

  /** Of any kind. */
  get newest(): Float64Array {
    return this.#newest
  }

  /** Of which kind the newest was, as an index of `accessKinds`; of several at once, a write goes before a run, and that before a read. */
  get kinds(): Uint8Array {
    return this.#kinds
  }

  get told(): AccessesTold {
    return this.#told
  }

  /** Whether the byte that the CPU sees there is no longer known; null where every byte is. */
  get isStale(): ((address: number) => boolean) | null {
    return this.#stale === null ? null : this.#isStale
  }

  add({ reads, writes, runs, stale }: Accesses, now: number): void {
    this.#stamp('reads', reads, now)
    if (runs) this.#stamp('runs', runs, now)
    this.#stamp('writes', writes, now)
    this.#told = runs ? 'all' : 'bus'
    this.#stale = stale ?? null
  }

  clear(): void {
    if (this.#told === 'none') return
    for (const times of [...Object.values(this.#times), this.#newest]) times.fill(-Infinity)
    this.#told = 'none'
    this.#stale = null
  }

  readonly #isStale = (address: number): boolean => this.#stale !== null && hasBit(this.#stale, address)

  #stamp(kind: AccessKind, bitmap: Uint8Array, now: number): void {
    const times = this.#times[kind]
    const index = accessKinds.indexOf(kind)
    eachBit(bitmap, (address) => {
      times[address] = now
      this.#newest[address] = now
      this.#kinds[address] = index
    })
  }
}
