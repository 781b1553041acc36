import { hasSideEffect } from '@shared/c64/chips'
import { decodeVideo, IO_SIZE, IO_START } from '@shared/c64/video'
import type { Space } from '@shared/contract/memory'
import type { MemoryRange } from './machine'

export interface ReadCosts {
  /** Cycles that the CPU stops for a read, beside those for its bytes. */
  readonly cyclesPerStop: number
  readonly cyclesPerByte: number
  /** Ranges at most this many bytes apart are read as one, even where that costs more cycles. */
  readonly gapWorthBridging: number
  /** Bytes. */
  readonly longestRead: number
}

export const costOf = ({ cyclesPerStop, cyclesPerByte, longestRead }: ReadCosts, length: number): number =>
  Math.ceil(length / longestRead) * cyclesPerStop + length * cyclesPerByte

export function affordable(costs: ReadCosts, cycles: number): number {
  const { cyclesPerStop, cyclesPerByte, longestRead } = costs
  const longest = costOf(costs, longestRead)
  const whole = Math.floor(cycles / longest)
  const left = cycles - whole * longest - cyclesPerStop
  return whole * longestRead + (left > 0 ? Math.min(longestRead, Math.floor(left / cyclesPerByte)) : 0)
}

const areas: Readonly<Record<Space, readonly (readonly [address: number, length: number])[]>> = {
  cpu: [[0, 0x10000]],
  ram: [[0, 0x10000]],
  rom: [
    [0xa000, 0x2000],
    [0xd000, 0x1000],
    [0xe000, 0x2000],
  ],
  io: [[IO_START, IO_SIZE]],
  colorRam: [[0xd800, 0x400]],
}

export const wholeSpace = (space: Space): MemoryRange[] =>
  areas[space].map(([address, length]) => ({ space, address, length }))

const isChipSpace = (space: Space): boolean => space === 'cpu' || space === 'io'

export function withoutSideEffects(ranges: readonly MemoryRange[]): MemoryRange[] {
  return ranges.flatMap((range) => (isChipSpace(range.space) ? splitAtSideEffects(range) : [range]))
}

function splitAtSideEffects({ space, address, length }: MemoryRange): MemoryRange[] {
  const end = address + length
  const pieces: MemoryRange[] = []
  let start = address
  for (let at = Math.max(address, IO_START); at < Math.min(end, IO_START + IO_SIZE); at++) {
    if (!hasSideEffect(at)) continue
    if (start < at) pieces.push({ space, address: start, length: at - start })
    start = at + 1
  }
  if (start < end) pieces.push({ space, address: start, length: end - start })
  return pieces
}

/**
 * Memory that changes often and is shown: zero page, stack, chips, colour RAM, screen with sprite pointers, and their
 * sprites.
 * @param memory 64 KiB as known so far, for the sprite pointers
 * @param io 4096 bytes from $D000 as last seen, to locate the graphics
 */
export function hotRanges(spaces: readonly Space[], memory: Uint8Array, io: Uint8Array): MemoryRange[] {
  const { bankStart, screen } = decodeVideo(io)
  const pointers = memory.subarray(screen + 0x3f8, screen + 0x400)
  const inMemory = [
    [0, 0x200],
    [screen, 0x400],
    ...Array.from(pointers, (pointer) => [bankStart + pointer * 64, 63] as const),
  ] as const
  const inChips = [
    [0xd000, 0x40],
    [0xd400, 0x20],
    [0xdc00, 0x10],
    [0xdd00, 0x10],
  ] as const
  const firstOf = (preferred: readonly Space[], ranges: readonly (readonly [number, number])[]): MemoryRange[] => {
    const space = preferred.find((one) => spaces.includes(one))
    return space ? ranges.map(([address, length]) => ({ space, address, length })) : []
  }
  return [
    ...firstOf(['ram', 'cpu'], inMemory),
    ...firstOf(['io', 'cpu'], inChips),
    ...firstOf(['colorRam', 'io', 'cpu'], [[0xd800, 1000]]),
  ]
}

const order: readonly Space[] = ['cpu', 'ram', 'rom', 'io', 'colorRam']
const positionOf = ({ space, address }: MemoryRange): number => order.indexOf(space) * 0x10000 + address

/**
 * Sorts by space and address and joins ranges at most `gap` bytes apart, unless a register with a side effect lies
 * between.
 */
export function coalesce(ranges: readonly MemoryRange[], gap: number): MemoryRange[] {
  const joined: MemoryRange[] = []
  for (const range of [...ranges].sort((a, b) => positionOf(a) - positionOf(b))) {
    const last = joined.at(-1)
    if (last?.space === range.space && canBridge(last, range, gap)) {
      const end = Math.max(last.address + last.length, range.address + range.length)
      joined[joined.length - 1] = { ...last, length: end - last.address }
    } else {
      joined.push(range)
    }
  }
  return joined
}

function canBridge(before: MemoryRange, after: MemoryRange, gap: number): boolean {
  const end = before.address + before.length
  if (after.address - end > gap) return false
  for (let at = end; at < after.address; at++) if (isChipSpace(before.space) && hasSideEffect(at)) return false
  return true
}

export interface Rounds {
  readonly turn: number
  readonly hot: number
  readonly rest: number
}

export const startOfRounds: Rounds = { turn: 0, hot: 0, rest: 0 }

export interface PlanInput {
  readonly urgent: readonly MemoryRange[]
  readonly hot: readonly MemoryRange[]
  readonly rest: readonly MemoryRange[]
  readonly costs: ReadCosts
  readonly allowance: number
  readonly rounds: Rounds
}

export interface Plan {
  readonly reads: readonly MemoryRange[]
  readonly cycles: number
  readonly rounds: Rounds
  readonly urgentLeft: readonly MemoryRange[]
}

/** Where the hot ranges alone use up the allowance, the rest still gets this many bytes in every fourth plan. */
const PLANS_PER_REST_TURN = 4
const REST_TURN_BYTES = 0x100

/** A range is not cut into a piece shorter than this, unless nothing else is read. */
const MIN_PIECE_BYTES = 32

/** The caller has removed what must not be read. */
export function planReads({ urgent, hot, rest, costs, allowance, rounds }: PlanInput): Plan {
  const bridged = Math.max(costs.gapWorthBridging, Math.floor(costs.cyclesPerStop / costs.cyclesPerByte))
  const first = takeRound(coalesce(urgent, 0), 0, costs, allowance)
  const afterUrgent = allowance - first.cycles
  const kept =
    rounds.turn % PLANS_PER_REST_TURN === PLANS_PER_REST_TURN - 1
      ? Math.min(afterUrgent, costOf(costs, REST_TURN_BYTES))
      : 0
  const hotTaken = takeRound(coalesce(hot, bridged), rounds.hot, costs, afterUrgent - kept)
  const restTaken = takeRound(coalesce(rest, 0), rounds.rest, costs, afterUrgent - hotTaken.cycles)
  const reads = coalesce([...first.taken, ...hotTaken.taken, ...restTaken.taken], 0).flatMap((range) =>
    split(range, costs.longestRead),
  )
  return {
    reads,
    cycles: reads.reduce((sum, { length }) => sum + costOf(costs, length), 0),
    rounds: { turn: (rounds.turn + 1) % PLANS_PER_REST_TURN, hot: hotTaken.next, rest: restTaken.next },
    urgentLeft: first.left,
  }
}

interface Taken {
  readonly taken: MemoryRange[]
  readonly left: MemoryRange[]
  readonly cycles: number
  readonly next: number
}

function takeRound(ranges: readonly MemoryRange[], from: number, costs: ReadCosts, cycles: number): Taken {
  const taken: MemoryRange[] = []
  const left: MemoryRange[] = []
  let spent = 0
  let next: number | undefined
  for (const range of startingAt(ranges, from)) {
    const length = next === undefined ? Math.min(range.length, affordable(costs, cycles - spent)) : 0
    const isTooShort = length < range.length && length < MIN_PIECE_BYTES && taken.length > 0
    const used = isTooShort ? 0 : length
    if (used > 0) {
      taken.push({ ...range, length: used })
      spent += costOf(costs, used)
    }
    if (used < range.length) {
      left.push({ ...range, address: range.address + used, length: range.length - used })
      next ??= positionOf(range) + used
    }
  }
  return { taken, left, cycles: spent, next: next ?? from }
}

function startingAt(ranges: readonly MemoryRange[], from: number): MemoryRange[] {
  const after: MemoryRange[] = []
  const before: MemoryRange[] = []
  for (const range of ranges) {
    const position = positionOf(range)
    const inside = Math.min(Math.max(from - position, 0), range.length)
    if (inside > 0) before.push({ ...range, length: inside })
    if (inside < range.length) after.push({ ...range, address: range.address + inside, length: range.length - inside })
  }
  return [...after, ...before]
}

function split({ space, address, length }: MemoryRange, longest: number): MemoryRange[] {
  return Array.from({ length: Math.ceil(length / longest) }, (_, index) => ({
    space,
    address: address + index * longest,
    length: Math.min(longest, length - index * longest),
  }))
}

/** A share of the machine's time: refilled as time passes, never overspent within any second. */
export class CycleBudget {
  readonly #maxSaved: number
  readonly #perMillisecond: number
  #cycles: number
  #at: number

  /**
   * @param share cycles per second that may be spent
   * @param rate about how often per second it is spent
   * @param smallest cycles of the smallest purchase; above half a second's share, the share holds only on average
   * @param now ms
   * @param left cycles to begin with; by default as many as can be saved up
   */
  constructor(share: number, rate: number, smallest: number, now: number, left = Number.POSITIVE_INFINITY) {
    // Savings plus one second's income must not exceed the share.
    this.#maxSaved = Math.max(share / (rate + 1), smallest)
    this.#perMillisecond = Math.max(share - this.#maxSaved, share / 2) / 1_000
    this.#cycles = Math.min(this.#maxSaved, left)
    this.#at = now
  }

  /** Negative after overspending. */
  available(now: number): number {
    this.#cycles = Math.min(this.#maxSaved, this.#cycles + (now - this.#at) * this.#perMillisecond)
    this.#at = now
    return this.#cycles
  }

  spend(cycles: number): void {
    this.#cycles -= cycles
  }
}
