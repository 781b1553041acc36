import { AppError } from '@shared/contract/errors'
import { timeText } from './timeText'

/** How long a machine stays with the agent that changed it last, ms. */
export const LEASE_MS = 5_000
/** Kept this long for an agent that was told to wait, ms. */
export const RESERVED_MS = 5_000

export interface Holder {
  readonly agent: number
  readonly name: string
  readonly colour: number
}

export interface Lease {
  /** Null for the person. */
  readonly holder: Holder | null
  /** ms since 1970; null until it is handed back. */
  readonly until: number | null
}

interface KeptLease extends Lease {
  readonly call: number
  /** The first that was told to wait: from then on only the running call can extend the lease. */
  readonly next: Holder | null
}

export class Leases {
  readonly #leases = new Map<string, KeptLease>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /**
   * Before each change: the machine is the holder's for a while from then on.
   * @returns whether the machine was free
   * @throws AppError BUSY while it is somebody else's
   */
  take(machine: string, holder: Holder, call: number): boolean {
    const lease = this.#current(machine)
    if (lease && lease.holder?.agent !== holder.agent) {
      if (lease.next === null) this.#leases.set(machine, { ...lease, next: holder })
      throw busy(machine, lease)
    }
    const next = lease?.next ?? null
    if (next && lease?.call !== call) return false
    this.#leases.set(machine, { holder, call, until: this.#now() + LEASE_MS, next })
    return lease === undefined
  }

  takeOver(machine: string): void {
    this.#leases.set(machine, { holder: null, call: 0, until: null, next: null })
  }

  handBack(machine: string): void {
    if (this.of(machine)?.holder === null) this.#leases.delete(machine)
  }

  of(machine: string): Lease | undefined {
    return this.#current(machine)
  }

  #current(machine: string): KeptLease | undefined {
    const lease = this.#leases.get(machine)
    if (!lease || lease.until === null || lease.until > this.#now()) return lease
    const reservedUntil = lease.until + RESERVED_MS
    if (!lease.next || reservedUntil <= this.#now()) return undefined
    return { holder: lease.next, call: 0, until: reservedUntil, next: null }
  }

  get all(): (Lease & { readonly machine: string })[] {
    return [...this.#leases.keys()].flatMap((machine) => {
      const lease = this.of(machine)
      return lease ? [{ ...lease, machine }] : []
    })
  }

  giveUp(agent: number): void {
    for (const [machine, { next, ...lease }] of this.#leases) {
      if (lease.holder?.agent === agent) this.#leases.delete(machine)
      else if (next?.agent === agent) this.#leases.set(machine, { ...lease, next: null })
    }
  }
}

function busy(machine: string, { holder, until }: Lease): AppError {
  if (holder === null || until === null)
    return new AppError('BUSY', `${machine} is busy: the person took it over.`, {
      hint: 'Look meanwhile; it is yours again once the person hands it back.',
    })
  return new AppError('BUSY', `${machine} is busy: ${holder.name} until ${timeText(until)}.`, {
    hint: `Look meanwhile, or use another machine. It is free ${LEASE_MS / 1000} s after its last change.`,
    details: { holder: holder.name, until },
  })
}
