/** Which memory to read next of a machine where each read stops the CPU: what matters most, within what it may cost. */
import { decodeVideo, IO_SIZE, IO_START } from '@shared/c64/video'
import type { Space } from '@shared/contract/memory'
import type { MemoryRange } from './machine'

/** What reading costs on one kind of machine. */
export interface ReadCosts {
  /** Cycles for which the CPU stands still for a read, beside those for its bytes. */
  readonly cyclesPerStop: number
  readonly cyclesPerByte: number
  /** Ranges with a gap of at most so many bytes between them are read as one, even where that costs more cycles. */
  readonly gapWorthBridging: number
  /** Bytes that one read may have. */
  readonly longestRead: number
}

export const costOf = ({ cyclesPerStop, cyclesPerByte, longestRead }: ReadCosts, length: number): number =>
  Math.ceil(length / longestRead) * cyclesPerStop + length * cyclesPerByte

/** The most bytes, in one stretch, that so many cycles pay for. */
export function affordable(costs: ReadCosts, cycles: number): number {
  const { cyclesPerStop, cyclesPerByte, longestRead } = costs
  const longest = costOf(costs, longestRead)
  const whole = Math.floor(cycles / longest)
  const left = cycles - whole * longest - cyclesPerStop
  return whole * longestRead + (left > 0 ? Math.min(longestRead, Math.floor(left / cyclesPerByte)) : 0)
}

// What there is to read

const rooms: Readonly<Record<Space, readonly (readonly [address: number, length: number])[]>> = {
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
  rooms[space].map(([address, length]) => ({ space, address, length }))

/**
 * Whether reading changes the machine: the VIC-II's collisions are cleared, the CIAs' interrupts are acknowledged and
 * their clocks latched, and cartridges switch banks or worse. Registers repeat: every 64 bytes in the VIC-II's area,
 * every 16 in a CIA's.
 */
export function hasSideEffect(address: number): boolean {
  if (address < 0xd000 || address > 0xdfff) return false
  if (address >= 0xde00) return true
  if (address >= 0xdc00) return (address & 0x0f) === 0x0d || (address & 0x0c) === 0x08
  return address < 0xd400 && (address & 0x3e) === 0x1e
}

const isChipSpace = (space: Space): boolean => space === 'cpu' || space === 'io'

/** The ranges without the addresses whose read has a side effect. */
export function withoutSideEffects(ranges: readonly MemoryRange[]): MemoryRange[] {
  return ranges.flatMap((range) => (isChipSpace(range.space) ? cut(range) : [range]))
}

function cut({ space, address, length }: MemoryRange): MemoryRange[] {
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
 * What changes and is looked at: zero page, stack, chips, colour RAM, the screen with its sprite pointers, and the
 * sprites they point at.
 * @param spaces those that are read
 * @param memory 64 KiB as known so far, for the sprite pointers
 * @param io 4096 bytes from $D000 as last seen, for where the graphics are
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
  const place = (preferred: readonly Space[], places: readonly (readonly [number, number])[]): MemoryRange[] => {
    const space = preferred.find((one) => spaces.includes(one))
    return space ? places.map(([address, length]) => ({ space, address, length })) : []
  }
  return [
    ...place(['ram', 'cpu'], inMemory),
    ...place(['io', 'cpu'], inChips),
    ...place(['colorRam', 'io', 'cpu'], [[0xd800, 1000]]),
  ]
}

const order: readonly Space[] = ['cpu', 'ram', 'rom', 'io', 'colorRam']
/** Spaces in a row, so that one number says where a round stands. */
const positionOf = ({ space, address }: MemoryRange): number => order.indexOf(space) * 0x10000 + address

/** In order of space and address, with those joined that lie at most `gap` apart and have no side effect between them. */
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

// The plan

/** Where the rounds stand; {@link startOfRounds} before the first plan. */
export interface Rounds {
  readonly turn: number
  readonly hot: number
  readonly rest: number
}

export const startOfRounds: Rounds = { turn: 0, hot: 0, rest: 0 }

export interface PlanInput {
  /** Read first. */
  readonly urgent: readonly MemoryRange[]
  /** Read in each plan that can afford it, by turns where it cannot. */
  readonly hot: readonly MemoryRange[]
  /** Read by and by with what is left. */
  readonly rest: readonly MemoryRange[]
  readonly costs: ReadCosts
  /** Cycles that all reads together may cost. */
  readonly allowance: number
  readonly rounds: Rounds
}

export interface Plan {
  /** None longer than `longestRead`, none twice. */
  readonly reads: readonly MemoryRange[]
  readonly cycles: number
  readonly rounds: Rounds
  /** What of `urgent` has to wait. */
  readonly urgentLeft: readonly MemoryRange[]
}

/** So that the rest is not starved where the hot ranges alone cost more than the allowance: every so many plans it gets a page. */
const REST_TURN = 4
const REST_SHARE = 0x100

/** A read shorter than this is not worth its stop, unless it is all that there is. */
const SHORTEST_CUT = 32

/** Ranges must be free of what is not to be read. */
export function planReads({ urgent, hot, rest, costs, allowance, rounds }: PlanInput): Plan {
  const bridged = Math.max(costs.gapWorthBridging, Math.floor(costs.cyclesPerStop / costs.cyclesPerByte))
  const first = takeRound(coalesce(urgent, 0), 0, costs, allowance)
  const afterUrgent = allowance - first.cycles
  const kept = rounds.turn % REST_TURN === REST_TURN - 1 ? Math.min(afterUrgent, costOf(costs, REST_SHARE)) : 0
  const hotTaken = takeRound(coalesce(hot, bridged), rounds.hot, costs, afterUrgent - kept)
  const restTaken = takeRound(coalesce(rest, 0), rounds.rest, costs, afterUrgent - hotTaken.cycles)
  const reads = coalesce([...first.taken, ...hotTaken.taken, ...restTaken.taken], 0).flatMap((range) =>
    split(range, costs.longestRead),
  )
  return {
    reads,
    cycles: reads.reduce((sum, { length }) => sum + costOf(costs, length), 0),
    rounds: { turn: (rounds.turn + 1) % REST_TURN, hot: hotTaken.next, rest: restTaken.next },
    urgentLeft: first.left,
  }
}

interface Taken {
  readonly taken: MemoryRange[]
  readonly left: MemoryRange[]
  readonly cycles: number
  /** Where the next round goes on. */
  readonly next: number
}

/** Takes ranges (in order) from a position on, round the end and up to it again, as far as the cycles go. */
function takeRound(ranges: readonly MemoryRange[], from: number, costs: ReadCosts, cycles: number): Taken {
  const taken: MemoryRange[] = []
  const left: MemoryRange[] = []
  let spent = 0
  let next: number | undefined
  for (const range of startingAt(ranges, from)) {
    const length = next === undefined ? Math.min(range.length, affordable(costs, cycles - spent)) : 0
    const isScrap = length < range.length && length < SHORTEST_CUT && taken.length > 0
    const used = isScrap ? 0 : length
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

// The budget

/** A part of the machine's time that is refilled as time passes, and never spends more than its share in any second. */
export class CycleBudget {
  readonly #most: number
  readonly #perMillisecond: number
  #cycles: number
  #at: number

  /**
   * @param share cycles per second that may be spent
   * @param rate how often a second it is spent, about
   * @param smallest cycles that must come together once before anything can be bought; where they are more than half
   * a second's share, the share holds on the average only
   * @param now ms
   * @param left cycles to begin with; as many as can be saved up unless it says otherwise
   */
  constructor(share: number, rate: number, smallest: number, now: number, left = Number.POSITIVE_INFINITY) {
    // What is saved up and what comes in during a second must not be more than the share together.
    this.#most = Math.max(share / (rate + 1), smallest)
    this.#perMillisecond = Math.max(share - this.#most, share / 2) / 1_000
    this.#cycles = Math.min(this.#most, left)
    this.#at = now
  }

  /** May be below 0 after a debt. */
  available(now: number): number {
    this.#cycles = Math.min(this.#most, this.#cycles + (now - this.#at) * this.#perMillisecond)
    this.#at = now
    return this.#cycles
  }

  spend(cycles: number): void {
    this.#cycles -= cycles
  }
}
