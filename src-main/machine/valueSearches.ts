import { formatAddress } from '@shared/c64/address'
import {
  bytesOfValue,
  firstStep,
  nextStep,
  valueAt,
  type ValueSize,
  type ValueStep,
} from '@shared/c64/search/valueSearch'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import {
  MAX_FROZEN_VALUES,
  MAX_LISTED_CANDIDATES,
  MAX_VALUE_STEPS,
  type FrozenValue,
  type Values,
} from '@shared/contract/values'
import type { Machine } from './machine'

const FREEZE_INTERVAL_MS = 50

export interface ValueSearchesOptions {
  readonly live: (machine: string) => Pick<Machine, 'status' | 'readMemory' | 'writeMemory'>
  readonly onChanged: (machine: string) => void
}

interface Search {
  readonly space: Space
  readonly size: ValueSize
  readonly steps: readonly ValueStep[]
}

export class ValueSearches {
  readonly #options: ValueSearchesOptions
  readonly #searches = new Map<string, Search>()
  readonly #frozen = new Map<string, FrozenValue[]>()
  readonly #ended = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ValueSearchesOptions) {
    this.#options = options
  }

  state(machine: string): Values {
    const search = this.#searches.get(machine)
    return { search: search ? describe(search) : null, frozen: [...(this.#frozen.get(machine) ?? [])] }
  }

  async start(machine: string, space: Space, size: ValueSize, signal: AbortSignal): Promise<Values> {
    return this.#setSearch(machine, { space, size, steps: [firstStep(await this.#read(machine, space, signal), size)] })
  }

  /** @throws AppError NOT_FOUND without a search, INVALID for an unreadable condition */
  async keep(machine: string, condition: string, signal: AbortSignal): Promise<Values> {
    const { space, size, steps } = this.#search(machine)
    if (steps.length >= MAX_VALUE_STEPS)
      throw new AppError('CONFLICT', `A search has ${MAX_VALUE_STEPS} steps at most.`, { hint: 'Start a new one.' })
    const image = await this.#read(machine, space, signal)
    const search = this.#search(machine)
    const last = search.steps.at(-1) ?? firstStep(image, size)
    return this.#setSearch(machine, { ...search, steps: [...search.steps, nextStep(last, image, condition, size)] })
  }

  /** @throws AppError NOT_FOUND without a search, CONFLICT at its first step */
  undo(machine: string): Values {
    const search = this.#search(machine)
    if (search.steps.length === 1) throw new AppError('CONFLICT', 'There is no step to undo.')
    return this.#setSearch(machine, { ...search, steps: search.steps.slice(0, -1) })
  }

  end(machine: string): Values {
    this.#searches.delete(machine)
    this.#options.onChanged(machine)
    return this.state(machine)
  }

  /** @throws AppError INVALID for a value that does not fit, CONFLICT at the limit of frozen values */
  freeze(machine: string, { space, address, size, value }: Omit<FrozenValue, 'problem'>): Values {
    this.#options.live(machine)
    if (value >= 2 ** (8 * size)) throw new AppError('INVALID', `${value} does not fit in a byte.`)
    if (address + size > 0x10000) throw new AppError('INVALID', 'The value goes past $FFFF.')
    const others = this.#others(machine, space, address)
    if (others.length >= MAX_FROZEN_VALUES)
      throw new AppError('CONFLICT', `${MAX_FROZEN_VALUES} values are frozen already.`, { hint: 'Release one first.' })
    return this.#setFrozen(machine, [...others, { space, address, size, value, problem: null }])
  }

  /** @throws AppError NOT_FOUND where it is not frozen */
  release(machine: string, space: Space, address: number): Values {
    const others = this.#others(machine, space, address)
    if (others.length === (this.#frozen.get(machine) ?? []).length)
      throw new AppError('NOT_FOUND', `${formatAddress(address)} is not frozen.`)
    return this.#setFrozen(machine, others)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#ended.abort()
  }

  #search(machine: string): Search {
    const search = this.#searches.get(machine)
    if (search) return search
    throw new AppError('NOT_FOUND', 'No search for a value is started.', { hint: 'Start one first.' })
  }

  #setSearch(machine: string, search: Search): Values {
    this.#searches.set(machine, search)
    this.#options.onChanged(machine)
    return this.state(machine)
  }

  #others(machine: string, space: Space, address: number): FrozenValue[] {
    return (this.#frozen.get(machine) ?? []).filter((frozen) => frozen.space !== space || frozen.address !== address)
  }

  #setFrozen(machine: string, frozen: FrozenValue[]): Values {
    if (frozen.length > 0) this.#frozen.set(machine, frozen)
    else this.#frozen.delete(machine)
    this.#options.onChanged(machine)
    this.#timer ??= this.#soon()
    return this.state(machine)
  }

  #soon(): NodeJS.Timeout | undefined {
    if (this.#frozen.size === 0 || this.#ended.signal.aborted) return undefined
    return setTimeout(() => void this.#writeAll().finally(() => (this.#timer = this.#soon())), FREEZE_INTERVAL_MS)
  }

  async #writeAll(): Promise<void> {
    for (const [machine, all] of this.#frozen) for (const frozen of all) await this.#write(machine, frozen)
  }

  async #write(machine: string, frozen: FrozenValue): Promise<void> {
    const problem = await this.#writeBack(machine, frozen).then(
      () => null,
      (error: unknown) => toFailure(error).message,
    )
    if (problem === frozen.problem || this.#ended.signal.aborted) return
    const all = this.#frozen.get(machine) ?? []
    if (!all.includes(frozen)) return
    this.#frozen.set(
      machine,
      all.map((each) => (each === frozen ? { ...frozen, problem } : each)),
    )
    this.#options.onChanged(machine)
  }

  /** Writes only a difference: a write disturbs more than a read, and begins another future in a machine's past. */
  async #writeBack(machine: string, { space, address, size, value }: FrozenValue): Promise<void> {
    const live = this.#options.live(machine)
    if (live.status.execution === 'paused') return
    const { signal } = this.#ended
    const bytes = await live.readMemory({ space, address, length: size }, signal)
    if (valueAt(bytes, 0, size) !== value) await live.writeMemory(space, address, bytesOfValue(value, size), signal)
  }

  #read(machine: string, space: Space, signal: AbortSignal): Promise<Uint8Array> {
    return this.#options.live(machine).readMemory({ space, address: 0, length: 0x10000 }, signal)
  }
}

function describe({ space, size, steps }: Search): NonNullable<Values['search']> {
  const last = steps.at(-1)
  return {
    space,
    size,
    steps: steps.map(({ condition, candidates }) => ({ condition, count: candidates.length })),
    candidates: last
      ? Array.from(last.candidates.subarray(0, MAX_LISTED_CANDIDATES), (address) => ({
          address,
          value: valueAt(last.image, address, size),
        }))
      : [],
  }
}
