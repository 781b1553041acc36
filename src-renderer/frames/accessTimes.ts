import { eachBit, hasBit } from '@shared/bitmap'
import { accessedIn, accessSpaces, type AccessSpace } from '@shared/c64/banking'
import type { Accesses } from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'
import { neverSince } from './spaceImages'

export const accessKinds = ['writes', 'reads', 'runs'] as const
export type AccessKind = (typeof accessKinds)[number]

/** `bus`: reads and writes; `all`: also which of the reads ran a program. */
export type AccessesTold = 'none' | 'bus' | 'all'

/** ms; -Infinity for an address that the CPU never touched. */
class Touches {
  readonly #times: Readonly<Record<AccessKind, Float64Array>> = {
    writes: neverSince(),
    reads: neverSince(),
    runs: neverSince(),
  }
  readonly newest = neverSince()
  readonly kinds = new Uint8Array(0x10000)

  of(kind: AccessKind): Float64Array {
    return this.#times[kind]
  }

  add({ reads, writes, runs }: Pick<Accesses, AccessKind>, now: number): void {
    this.#stamp('reads', reads, now)
    if (runs) this.#stamp('runs', runs, now)
    this.#stamp('writes', writes, now)
  }

  clear(): void {
    for (const times of [...Object.values(this.#times), this.newest]) times.fill(-Infinity)
  }

  #stamp(kind: AccessKind, bitmap: Uint8Array, now: number): void {
    const times = this.#times[kind]
    const index = accessKinds.indexOf(kind)
    eachBit(bitmap, (address) => {
      times[address] = now
      this.newest[address] = now
      this.kinds[address] = index
    })
  }
}

export class AccessTimes {
  readonly #anywhere = new Touches()
  readonly #none = new Touches()
  readonly #apart = new Map<AccessSpace, Touches>()
  #told: AccessesTold = 'none'
  #stale: Uint8Array | null = null

  of(kind: AccessKind, space: Space): Float64Array {
    return this.#in(space).of(kind)
  }

  newest(space: Space): Float64Array {
    return this.#in(space).newest
  }

  /**
   * The kind of the newest access as an index of `accessKinds`; of several at once, a write goes before a run, and that
   * before a read.
   */
  kinds(space: Space): Uint8Array {
    return this.#in(space).kinds
  }

  get told(): AccessesTold {
    return this.#told
  }

  /** Tells bytes that the CPU sees and that are no longer known; null where every byte is known. */
  get isStale(): ((address: number) => boolean) | null {
    return this.#stale === null ? null : this.#isStale
  }

  add({ spaces, stale, ...anywhere }: Accesses, now: number): void {
    this.#anywhere.add(anywhere, now)
    for (const space of accessSpaces) {
      const touched = spaces?.[space]
      if (!touched) continue
      const touches = this.#apart.get(space) ?? new Touches()
      this.#apart.set(space, touches)
      touches.add(touched, now)
    }
    this.#told = anywhere.runs ? 'all' : 'bus'
    this.#stale = stale ?? null
  }

  clear(): void {
    if (this.#told === 'none') return
    this.#anywhere.clear()
    this.#apart.clear()
    this.#told = 'none'
    this.#stale = null
  }

  readonly #isStale = (address: number): boolean => this.#stale !== null && hasBit(this.#stale, address)

  #in(space: Space): Touches {
    const apart = accessedIn(space)
    if (apart === null || this.#apart.size === 0) return this.#anywhere
    return this.#apart.get(apart) ?? this.#none
  }
}
