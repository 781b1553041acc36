/**
 * Runs parts of the past again on another machine (a scout), so that the one in front continues undisturbed. Newest
 * first. Times are clocks, in cycles.
 */
import { hasAddress, placeIn, type Write } from '../accessTrace'
import type { C64, Snapshot } from '../c64'
import type { Checkpoints, CheckpointHit } from '../checkpoints'
import { isAtReturn, stackRise } from '../runTarget'
import { hasPackedBit, unpackBytes } from './packedBytes'
import { PICTURE_CYCLES, type Past, type Stretch } from './past'

/** `begun`: clock at which the writing instruction began. `code`: its bytes at that time, the first one lowest. */
export interface PastWrite extends Write {
  readonly begun: number
  readonly code: number
}

interface PastWrites {
  readonly changes: readonly PastWrite[]
  readonly last: PastWrite | null
  readonly since: number
}

export interface Search {
  readonly past: Past
  readonly scout: C64
  readonly before: number
}

/**
 * Includes inputs at the moment itself.
 * @param most changes to look for; 0 for the last write alone
 * @param budgetMs the search ends with the stretch in which this time runs out
 */
export function lastWrites({ past, scout, before }: Search, place: number, most: number, budgetMs: number): PastWrites {
  const deadline = performance.now() + budgetMs
  const changes: PastWrite[] = []
  let last: PastWrite | null = null
  let unknown: PastWrite | null = null
  for (const { index, stretch } of backwards(past, before)) {
    if ((changes.length >= most && last && !unknown) || performance.now() > deadline)
      return { changes: changes.slice(0, most), last, since: stretch.end }
    if (stretch.touched && !hasPackedBit(stretch.touched.store, place)) continue
    const found = writesIn({ past, scout, before }, index, stretch, place)
    const newest = found.at(-1)
    if (!newest) continue
    if (unknown) {
      const known: PastWrite = { ...unknown, from: newest.to }
      changes.splice(-1, 1, ...(known.from === known.to ? [] : [known]))
      if (last === unknown) last = known
    }
    last ??= newest
    changes.push(...found.filter(({ from, to }) => from !== to).toReversed())
    const oldest = found[0]
    unknown = oldest?.from === null && changes.length <= most ? oldest : null
  }
  return { changes: changes.slice(0, most), last, since: past.start }
}

export function writeAt(search: Search, place: number, clock: number): PastWrite | undefined {
  for (const { index, stretch } of backwards(search.past, clock))
    if (stretch.end >= clock) {
      const found = writesIn(search, index, stretch, place).find((write) => write.clock === clock)
      if (found) return found
    } else return undefined
  return undefined
}

export function lastWriteBefore({ past, scout, before }: Search, place: number): PastWrite | undefined {
  for (const { index, stretch } of backwards(past, before)) {
    if (stretch.touched && !hasPackedBit(stretch.touched.store, place)) continue
    const found = writesIn({ past, scout, before }, index, stretch, place)
    const last = found.findLast(({ begun }) => begun < before)
    if (last) return last
  }
  return undefined
}

export function* writesBackFrom(
  search: Search,
  place: number,
): Generator<{ readonly start: number; readonly writes: readonly PastWrite[] }> {
  for (const { index, stretch } of backwards(search.past, search.before)) {
    const isTouched = !stretch.touched || hasPackedBit(stretch.touched.store, place)
    yield { start: stretch.start, writes: isTouched ? writesIn(search, index, stretch, place) : [] }
  }
}

export function instructionCode({ space }: C64, write: Write): number {
  const { space: where, address } = placeIn(write.instruction ?? 0)
  const byteAt = (offset: number): number => space.peekIn(where, (address + offset) & 0xffff)
  return byteAt(0) | (byteAt(1) << 8) | (byteAt(2) << 16)
}

function writesIn({ past, scout, before }: Search, index: number, stretch: Stretch, place: number): PastWrite[] {
  const found: PastWrite[] = []
  scout.trace.forgetAfter(0)
  // Set first: the stretch may begin with what came from outside.
  scout.trace.watch(place, (write) => found.push({ ...write, code: instructionCode(scout, write) }))
  past.replay(scout, index)
  scout.runTo(Math.min(stretch.end, before))
  scout.trace.unwatch()
  return found
}

/** The clock is that after the instruction which the checkpoint would have stopped. */
export function lastStop(
  { past, scout, before }: Search,
  checkpoints: Checkpoints,
): { readonly hit: CheckpointHit; readonly clock: number } | undefined {
  // The scout does not know earlier hit counts, and nothing is logged twice.
  const watched = checkpoints.stopping().list()
  for (const { index, stretch } of backwards(past, before)) {
    const { touched, endPc } = stretch
    // The last instruction was reached in this stretch, but runs in the next one.
    const mayHit = ({ start, end, operations }: (typeof watched)[number]) =>
      !touched ||
      (endPc !== null && start <= endPc && endPc <= end) ||
      operations.some((operation) => hasAddress(unpackBytes(touched[operation]), start, end))
    if (!watched.some(mayHit)) continue
    past.replay(scout, index)
    const copies = checkpoints.stopping()
    const end = Math.min(stretch.end, before)
    let last: { hit: CheckpointHit; clock: number } | undefined
    while (scout.clock < end && scout.jam === null) {
      const hit = scout.runFrame(copies)
      // A frame may run past the stretch, without the input from outside there.
      if (hit && scout.clock <= end && scout.clock < before) last = { hit, clock: scout.clock }
    }
    if (last) return last
  }
  return undefined
}

/** Ends at the past's start if that is later. The machine is shortly before the instruction. */
export function instructionBefore(
  { past, scout, before }: Search,
  count: number,
): { readonly clock: number; readonly near: Snapshot } {
  // Most instructions take two to four cycles; waiting for the VIC-II takes up to 43 more.
  for (let span = 8 * count + 64; ; span *= 2) {
    const from = Math.max(past.start, before - span)
    past.scoutTo(scout, from - PICTURE_CYCLES)
    const near = scout.snapshot()
    scout.runTo(from)
    const clocks: number[] = []
    while (scout.clock < before) {
      clocks.push(scout.clock)
      scout.step(1)
    }
    const clock = clocks.at(-count) ?? (from === past.start ? past.start : undefined)
    if (clock !== undefined) return { clock, near }
  }
}

/** Cycles before a return that are searched for its call: about a minute of the machine. */
const MAX_CALL_CYCLES = 60_000_000

/**
 * After a return from a routine or an interrupt, the instruction before is the call or the interrupted one, found by
 * the stack.
 * @param sp the stack pointer at the moment
 * @returns undefined where the call began too long before
 */
export function callBefore(
  search: Search,
  sp: number,
): { readonly clock: number; readonly near: Snapshot } | undefined {
  const { past, scout, before } = search
  const previous = instructionBefore(search, 1)
  past.scoutTo(scout, previous.clock)
  if (!isAtReturn(scout)) return previous
  for (let span = 1_024; ; span *= 4) {
    const from = Math.max(past.start, before - span)
    past.scoutTo(scout, from - PICTURE_CYCLES)
    const near = scout.snapshot()
    scout.runTo(from)
    let call: number | undefined
    while (scout.clock < before) {
      if (stackRise(sp, scout.cpu.sp) >= 0) call = scout.clock
      scout.step(1)
    }
    if (call !== undefined) return { clock: call, near }
    if (from === past.start || span > MAX_CALL_CYCLES) return undefined
  }
}

function* backwards(past: Past, before: number): Generator<{ index: number; stretch: Stretch }> {
  const { stretches } = past
  for (let index = stretches.length - 1; index >= 0; index--) {
    const stretch = stretches[index]
    if (stretch && stretch.start <= before) yield { index, stretch }
  }
}
