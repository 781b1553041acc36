/**
 * Questions about the past, answered by running parts of it again on a machine of their own (a scout), so that the one in
 * front goes on undisturbed. Newest first. Times are clocks, in cycles.
 */
import { hasAddress, placeIn, type Write } from '../accessTrace'
import type { C64, Snapshot } from '../c64'
import type { Checkpoints, CheckpointHit } from '../checkpoints'
import { isAtReturn, stackRise } from '../runTarget'
import { hasPackedBit, unpackBytes } from './packedBytes'
import { PICTURE_CYCLES, type Past, type Stretch } from './past'

/** `begun`: the clock at which the writing instruction begins. `code`: its bytes as they were then, the first one lowest. */
export interface PastWrite extends Write {
  readonly begun: number
  readonly code: number
}

interface PastWrites {
  /** Those that changed the byte. */
  readonly changes: readonly PastWrite[]
  /** The last one, whether it changed the byte or not. */
  readonly last: PastWrite | null
  /** How far back was searched. */
  readonly since: number
}

export interface Search {
  readonly past: Past
  readonly scout: C64
  /** Only what happened before this clock counts. */
  readonly before: number
}

/**
 * The last writes to a place up to a moment, at which nothing is run but what came from outside counts.
 * @param most how many changes are looked for; 0 for the last write alone
 * @param budgetMs the search ends with the stretch in which this time is up
 */
export function lastWrites({ past, scout, before }: Search, place: number, most: number, budgetMs: number): PastWrites {
  const deadline = performance.now() + budgetMs
  const changes: PastWrite[] = []
  let last: PastWrite | null = null
  /** The oldest write so far, where the byte before it is not known yet. */
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

/** A write to a place at a clock, with its instruction as it was; undefined for one before the past. */
export function writeAt(search: Search, place: number, clock: number): PastWrite | undefined {
  for (const { index, stretch } of backwards(search.past, clock))
    if (stretch.end >= clock) {
      const found = writesIn(search, index, stretch, place).find((write) => write.clock === clock)
      if (found) return found
    } else return undefined
  return undefined
}

/** The last write that began before a moment. */
export function lastWriteBefore({ past, scout, before }: Search, place: number): PastWrite | undefined {
  for (const { index, stretch } of backwards(past, before)) {
    if (stretch.touched && !hasPackedBit(stretch.touched.store, place)) continue
    const found = writesIn({ past, scout, before }, index, stretch, place)
    const last = found.findLast(({ begun }) => begun < before)
    if (last) return last
  }
  return undefined
}

/** All writes to a place before a moment, by stretches of the past, newest stretch first. */
export function* writesBackFrom(
  search: Search,
  place: number,
): Generator<{ readonly start: number; readonly writes: readonly PastWrite[] }> {
  for (const { index, stretch } of backwards(search.past, search.before)) {
    const isTouched = !stretch.touched || hasPackedBit(stretch.touched.store, place)
    yield { start: stretch.start, writes: isTouched ? writesIn(search, index, stretch, place) : [] }
  }
}

/** The bytes of the instruction that writes now, as they are now, the first one lowest. */
export function instructionCode({ space }: C64, write: Write): number {
  const { space: where, address } = placeIn(write.instruction ?? 0)
  const byteAt = (offset: number): number => space.peekIn(where, (address + offset) & 0xffff)
  return byteAt(0) | (byteAt(1) << 8) | (byteAt(2) << 16)
}

function writesIn({ past, scout, before }: Search, index: number, stretch: Stretch, place: number): PastWrite[] {
  const found: PastWrite[] = []
  scout.trace.forgetAfter(0)
  // Set before: the stretch may begin with what came from outside.
  scout.trace.watch(place, (write) => found.push({ ...write, code: instructionCode(scout, write) }))
  past.replay(scout, index)
  scout.runTo(Math.min(stretch.end, before))
  scout.trace.unwatch()
  return found
}

/** The last checkpoint that would have stopped the machine before a moment, and the clock after the instruction that hit it. */
export function lastStop(
  { past, scout, before }: Search,
  checkpoints: Checkpoints,
): { readonly hit: CheckpointHit; readonly clock: number } | undefined {
  // How often each was hit before is not known there, and nothing is logged twice.
  const watched = checkpoints.stopping().list()
  for (const { index, stretch } of backwards(past, before)) {
    const { touched, endPc } = stretch
    // The instruction at its end was reached in this stretch, but run in the next one.
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
      // A frame may go on behind the stretch, without what came from outside there.
      if (hit && scout.clock <= end && scout.clock < before) last = { hit, clock: scout.clock }
    }
    if (last) return last
  }
  return undefined
}

/** The instruction `count` before a moment, or the past's start where it has fewer, and the machine shortly before that. */
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

/** How long before its return a call is looked for: about a minute of the machine. */
const MAX_CALL_CYCLES = 60_000_000

/**
 * The instruction before a moment. Where that returned from a routine or an interrupt: where the stack was last as it is now, which is
 * the call, or the instruction that was interrupted.
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
