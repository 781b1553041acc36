/**
 * Questions about the past, answered by running parts of it again on a machine of their own (a scout), so that the one in
 * front goes on undisturbed. Newest first. Times are clocks, in cycles.
 */
import { hasBit } from '@shared/bitmap'
import { hasAddress, type Write } from '../accessTrace'
import type { C64, Snapshot } from '../c64'
import type { Checkpoints, CheckpointHit } from '../checkpoints'
import { PICTURE_CYCLES, type Past, type Stretch } from './past'

/** `begun`: the clock at which the writing instruction begins. */
export interface PastWrite extends Write {
  readonly begun: number
}

export interface PastWrites {
  readonly writes: readonly PastWrite[]
  /** How far back was searched. */
  readonly since: number
}

interface Search {
  readonly past: Past
  readonly scout: C64
  /** Only what happened before this clock counts. */
  readonly before: number
}

/**
 * The last writes to a place that `wanted` takes, before a moment.
 * @param most how many are looked for
 * @param budgetMs the search ends with the stretch in which this time is up
 */
export function lastWrites(
  { past, scout, before }: Search,
  place: number,
  wanted: (write: Write) => boolean,
  most: number,
  budgetMs: number,
): PastWrites {
  const deadline = performance.now() + budgetMs
  const writes: PastWrite[] = []
  for (const { index, stretch } of backwards(past, before)) {
    if (writes.length >= most || performance.now() > deadline)
      return { writes: writes.slice(0, most), since: stretch.end }
    if (stretch.touched && !hasBit(stretch.touched.store, place)) continue
    const found: PastWrite[] = []
    past.replay(scout, index)
    scout.trace.watch(place, (write) => {
      if (write.begun < before && wanted(write)) found.push(write)
    })
    scout.runTo(Math.min(stretch.end, before))
    scout.trace.unwatch()
    writes.push(...found.reverse())
  }
  return { writes: writes.slice(0, most), since: past.start }
}

/** The last checkpoint that would have stopped the machine before a moment, and the clock after the instruction that hit it. */
export function lastStop(
  { past, scout, before }: Search,
  checkpoints: Checkpoints,
): { readonly hit: CheckpointHit; readonly clock: number } | undefined {
  // How often each was hit before is not known there, and nothing is logged twice.
  const watched = checkpoints.stopping().list()
  for (const { index, stretch } of backwards(past, before)) {
    const { touched } = stretch
    const mayHit = ({ start, end, operations }: (typeof watched)[number]) =>
      !touched || operations.some((operation) => hasAddress(touched[operation], start, end))
    if (!watched.some(mayHit)) continue
    past.replay(scout, index)
    const copies = checkpoints.stopping()
    let last: { hit: CheckpointHit; clock: number } | undefined
    while (scout.clock < Math.min(stretch.end, before) && scout.jam === null) {
      const hit = scout.runFrame(copies)
      if (hit && scout.clock < before) last = { hit, clock: scout.clock }
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
    past.goTo(scout, from - PICTURE_CYCLES)
    const near = scout.snapshot()
    scout.runTo(from)
    const clocks: number[] = []
    while (scout.clock < before) {
      clocks.push(scout.clock)
      scout.step(1, false)
    }
    const clock = clocks.at(-count) ?? (from === past.start ? past.start : undefined)
    if (clock !== undefined) return { clock, near }
  }
}

function* backwards(past: Past, before: number): Generator<{ index: number; stretch: Stretch }> {
  const { stretches } = past
  for (let index = stretches.length - 1; index >= 0; index--) {
    const stretch = stretches[index]
    if (stretch && stretch.start < before) yield { index, stretch }
  }
}
