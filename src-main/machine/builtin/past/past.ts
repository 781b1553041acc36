/**
 * The machine's past: moments kept three times a second, and what came from outside after each. As the machine is
 * deterministic, it can be brought back to any instruction since the first moment. Times are clocks, in cycles.
 */
import { randomUUID } from 'node:crypto'
import { AppError } from '@shared/contract/errors'
import type { PastPoint } from '../../facets'
import type { TouchedPlaces } from '../accessTrace'
import type { C64, Snapshot } from '../c64'
import type { MachineImage } from '../state'
import { applyInput, sizeOf, type OutsideInput } from './inputs'
import { freshBytes, packBytes, unpackBytes, type PackedBytes } from './packedBytes'

/** How far apart moments are kept: 16 frames of PAL, a third of a second. */
const MOMENT_CYCLES = 314_496
/** Running this long draws every line of the picture. */
export const PICTURE_CYCLES = 20_000
/** What came from outside in all, and after one moment, bytes. */
const MAX_INPUT_BYTES = 32 * 2 ** 20
const MAX_MOMENT_BYTES = 2 ** 20
/** What a moment takes beside its blocks and inputs: the chips as objects, and the lists of blocks. Measured with Node 24. */
const MOMENT_OVERHEAD_BYTES = 6 * 1024
/** What the oldest moment may share with moments that are dropped: RAM, colour RAM and what was touched. */
const FIRST_MOMENT_BYTES = 160 * 1024
/** Futures of which it is known where they began. */
const MAX_BEGINS = 1_000

/** Whichever is reached first. */
export interface PastLimits {
  readonly cycles: number
  readonly bytes: number
}

export interface TimedInput {
  readonly clock: number
  readonly input: OutsideInput
}

interface Moment {
  readonly clock: number
  readonly snapshot: Omit<Snapshot, 'image'> & { readonly image: Omit<MachineImage, 'ram' | 'colorRam'> }
  readonly ram: PackedBytes
  readonly colorRam: PackedBytes
  /** In the order in which they came, up to the next moment. */
  readonly inputs: readonly TimedInput[]
  readonly inputBytes: number
  /** What was touched up to the next moment; null for the last. */
  readonly touched: PackedTouched | null
  /** What it takes beside its inputs and what it shares with the moment before, bytes. */
  readonly ownBytes: number
}

type PackedTouched = Readonly<Record<keyof TouchedPlaces, PackedBytes>>

interface Future {
  readonly earlier: readonly Moment[]
  readonly last: Moment
  readonly end: number
}

export interface Span {
  readonly start: number
  readonly now: number
  readonly end: number
  /** The future that was left by changing the past: where it branches off, and its end. */
  readonly left: { readonly from: number; readonly end: number } | null
  /** What keeping it takes, about; with the future that was left. */
  readonly bytes: number
}

/** From one moment to the next; the last goes on to the end of known time. */
export interface Stretch {
  readonly start: number
  readonly end: number
  /** Null where that is not known. */
  readonly touched: PackedTouched | null
  /** The program counter at its end; null for the last. */
  readonly endPc: number | null
}

export class Past {
  readonly #limits: PastLimits
  /** All moments but the last, in the order of their clocks. */
  #earlier: readonly Moment[] = []
  #last: Moment
  /** How far time is known; the machine stands there or before. */
  #end: number
  /** The clock from which on the machine's access trace has everything. */
  #tracedFrom = 0
  #left: (Future & { readonly from: number; readonly id: string }) | null = null
  #future: string = randomUUID()
  /** Where each future began, in another one. */
  readonly #begins = new Map<string, { readonly from: number; readonly parent: string }>()

  /** Begins with the machine as it is. */
  constructor(c64: C64, limits: PastLimits) {
    this.#limits = limits
    this.#last = momentOf(c64, undefined)
    this.#end = c64.clock
  }

  get start(): number {
    return (this.#earlier[0] ?? this.#last).clock
  }

  span(c64: C64): Span {
    const left = this.#left && { from: Math.max(this.start, this.#left.from), end: this.#left.end }
    return { start: this.start, now: c64.clock, end: this.#end, left, bytes: this.#bytes }
  }

  get #bytes(): number {
    return FIRST_MOMENT_BYTES + takenBy(this.#moments) + this.#leftBytes(this.start)
  }

  /** Of the left future from `start` on, beside the moments that it shares with this one. */
  #leftBytes(start: number): number {
    if (!this.#left) return 0
    const { from, earlier, last } = this.#left
    return FIRST_MOMENT_BYTES + takenBy([...earlier, last].filter(({ clock }) => clock > from && clock >= start))
  }

  /** Oldest first. */
  get stretches(): readonly Stretch[] {
    const moments = this.#moments
    return moments.map(({ clock, touched }, index) => ({
      start: clock,
      end: moments[index + 1]?.clock ?? this.#end,
      touched,
      endPc: moments[index + 1]?.snapshot.image.chips.cpu.pc ?? null,
    }))
  }

  /**
   * Gives the machine an input and keeps it. A machine that stands in the past gets another future from here on.
   * @throws AppError as the machine refuses it
   */
  input(c64: C64, input: OutsideInput): void {
    if (c64.clock < this.#end) this.#branch(c64)
    const { inputs, inputBytes } = this.#last
    this.#last = {
      ...this.#last,
      inputs: [...inputs, { clock: c64.clock, input }],
      inputBytes: inputBytes + sizeOf(input),
    }
    try {
      applyInput(c64, input)
    } finally {
      this.#end = c64.clock
      if (this.#last.inputBytes > MAX_MOMENT_BYTES) this.#addMoment(c64)
    }
  }

  /** After the machine has run. */
  ran(c64: C64): void {
    if (c64.clock <= this.#end) return
    this.#end = c64.clock
    if (c64.clock - this.#last.clock >= MOMENT_CYCLES) this.#addMoment(c64)
  }

  /** What came from outside up to where the machine stands, oldest first, since the last moment before `since`. */
  recordSince(c64: C64, since: number): { readonly begin: Snapshot; readonly inputs: readonly TimedInput[] } {
    const known = this.#moments.filter(({ clock }) => clock <= c64.clock)
    const moments = known.slice(
      Math.max(
        0,
        known.findLastIndex(({ clock }) => clock <= since),
      ),
    )
    const inputs = moments.flatMap((moment) => moment.inputs).filter(({ clock }) => clock <= c64.clock)
    return { begin: snapshotOf(moments[0] ?? this.#last), inputs }
  }

  /** Lives through what was recorded from the machine as it stands, up to `end`; yields after each third of a second of it. */
  *live(c64: C64, inputs: readonly TimedInput[], end: number): Generator<void> {
    for (const { clock, input } of inputs) {
      // A program is started from power-on, which takes time by itself.
      if (c64.clock > end) break
      yield* this.#runTo(c64, clock)
      asBefore(() => this.input(c64, input))
    }
    yield* this.#runTo(c64, end)
  }

  *#runTo(c64: C64, clock: number): Generator<void> {
    while (c64.clock < clock) {
      c64.runTo(Math.min(clock, c64.clock + MOMENT_CYCLES))
      this.ran(c64)
      yield
    }
  }

  /** Brings the machine to the first instruction at `clock` or later; from there it goes the way it went before. */
  goTo(c64: C64, clock: number): void {
    this.#tracedFrom = this.scoutTo(c64, clock)
  }

  /** As {@link goTo}, for a scout. @returns the clock from which on its access trace has everything */
  scoutTo(scout: C64, clock: number): number {
    const target = Math.min(Math.max(clock, this.start), this.#end)
    const index = this.#moments.findLastIndex((moment) => moment.clock <= target - PICTURE_CYCLES)
    const moments = this.#moments.slice(Math.max(0, index))
    const first = moments[0] ?? this.#last
    const inputs = moments.flatMap((moment) => moment.inputs)
    goFrom(scout, snapshotOf(first), inputs)
    scout.runTo(target)
    return first.clock
  }

  /** Brings a scout to the begin of a stretch; up to its end it goes the way the machine went. */
  replay(scout: C64, index: number): void {
    const moment = this.#moments[index] ?? this.#last
    goFrom(scout, snapshotOf(moment), moment.inputs)
  }

  /** As {@link goTo}, from a moment shortly before that another machine found. */
  goFrom(c64: C64, snapshot: Snapshot, clock: number): void {
    const inputs = this.#moments.flatMap((moment) => moment.inputs)
    const after = inputs.filter((input) => input.clock > snapshot.image.chips.clock)
    goFrom(c64, snapshot, after)
    this.#tracedFrom = snapshot.image.chips.clock
    c64.runTo(clock)
  }

  /** Takes back a change of the past: the future that was left is the future again. */
  toLeftFuture(c64: C64): void {
    if (!this.#left) return
    const { earlier, last, end, id } = this.#left
    this.#earlier = earlier
    this.#last = last
    this.#end = end
    this.#future = id
    this.#left = null
    this.goTo(c64, end)
  }

  point(c64: C64): PastPoint {
    const { clock } = c64
    const inputs = this.#moments.flatMap((moment) => moment.inputs).filter((given) => given.clock === clock)
    return { clock, inputs: inputs.length, future: this.#future }
  }

  /**
   * Brings the machine back to a point, also before what it was given at the same clock. From there it has another future.
   * @throws AppError CONFLICT where the point is not in its past any more
   */
  returnTo(c64: C64, { clock, inputs, future }: PastPoint): void {
    if (clock < this.start || clock > this.#end || !this.#comesFrom(future, clock))
      throw new AppError('CONFLICT', 'The moment is not in the machine’s past any more.')
    // A moment of the same clock may have been kept after it was given something.
    const kept = this.#moments.filter((moment, index) => index === 0 || moment.clock < clock)
    let left = inputs
    const before = kept.map((moment) => ({
      ...moment,
      inputs: moment.inputs.filter((given) => given.clock < clock || (given.clock === clock && left-- > 0)),
    }))
    this.#leaveFuture(clock)
    this.#earlier = before.slice(0, -1)
    this.#last = { ...(before.at(-1) ?? this.#last), touched: null }
    this.#end = clock
    this.goTo(c64, clock)
    c64.clearAlarm()
  }

  #comesFrom(future: string, clock: number): boolean {
    for (let id: string | undefined = this.#future; id !== undefined;) {
      if (id === future) return true
      const begin = this.#begins.get(id)
      id = begin && begin.from >= clock ? begin.parent : undefined
    }
    return false
  }

  #leaveFuture(from: number): void {
    this.#left = { from, earlier: this.#earlier, last: this.#last, end: this.#end, id: this.#future }
    const begun = randomUUID()
    this.#begins.set(begun, { from, parent: this.#future })
    this.#future = begun
    for (const oldest of [...this.#begins.keys()].slice(0, -MAX_BEGINS)) this.#begins.delete(oldest)
  }

  get #moments(): readonly Moment[] {
    return [...this.#earlier, this.#last]
  }

  /** Known time ends where the machine stands; the rest becomes the future that was left. */
  #branch(c64: C64): void {
    const now = c64.clock
    this.#leaveFuture(now)
    const kept = this.#moments.filter(({ clock }) => clock <= now)
    const last = kept.at(-1) ?? this.#last
    this.#earlier = kept.slice(0, -1)
    this.#last = { ...last, inputs: last.inputs.filter(({ clock }) => clock <= now), touched: null }
    this.#end = now
    c64.clearAlarm()
  }

  #addMoment(c64: C64): void {
    const isTraced = this.#tracedFrom <= this.#last.clock
    const touched = isTraced ? packTouched(c64.trace.changedSince(this.#last.clock), this.#earlier.at(-1)) : null
    const ended = {
      ...this.#last,
      touched,
      ownBytes: this.#last.ownBytes + touchedBytes(touched, this.#earlier.at(-1)),
    }
    this.#last = momentOf(c64, ended)
    this.#earlier = [...this.#earlier, ended]
    this.#dropOldest()
  }

  /** Of both futures, until they keep to the limits. The last two moments always stay. */
  #dropOldest(): void {
    const earlier = this.#earlier
    const oldest = this.#end - this.#limits.cycles
    let inputBytes = earlier.reduce((sum, moment) => sum + moment.inputBytes, 0)
    let bytes = FIRST_MOMENT_BYTES + takenBy([...earlier, this.#last])
    let { start } = this
    let dropped = 0
    while (dropped < earlier.length) {
      const next = earlier[dropped + 1] ?? this.#last
      const fits = next === this.#last || bytes + this.#leftBytes(start) <= this.#limits.bytes
      if (next.clock > oldest && inputBytes <= MAX_INPUT_BYTES && fits) break
      inputBytes -= earlier[dropped]?.inputBytes ?? 0
      bytes -= takenBy(earlier.slice(dropped, dropped + 1))
      start = next.clock
      dropped++
    }
    if (dropped === 0) return
    this.#earlier = earlier.slice(dropped)
    if (this.#left) {
      const kept = this.#left.earlier.filter(({ clock }) => clock >= start)
      this.#left = this.#left.last.clock < start ? null : { ...this.#left, earlier: kept }
    }
    for (const [future, { from }] of this.#begins) if (from < start) this.#begins.delete(future)
  }
}

const takenBy = (moments: readonly Moment[]): number =>
  moments.reduce((sum, { ownBytes, inputBytes }) => sum + ownBytes + inputBytes, 0)

function momentOf(c64: C64, before: Moment | undefined): Moment {
  const { image, ...hostInput } = c64.snapshot()
  const { ram, colorRam, ...rest } = image
  const packed = { ram: packBytes(ram, before?.ram), colorRam: packBytes(colorRam, before?.colorRam) }
  return {
    clock: c64.clock,
    snapshot: { ...hostInput, image: rest },
    ...packed,
    inputs: [],
    inputBytes: 0,
    touched: null,
    ownBytes:
      MOMENT_OVERHEAD_BYTES + freshBytes(packed.ram, before?.ram) + freshBytes(packed.colorRam, before?.colorRam),
  }
}

function packTouched({ store, load, exec }: TouchedPlaces, before: Moment | undefined): PackedTouched {
  const old = before?.touched
  return { store: packBytes(store, old?.store), load: packBytes(load, old?.load), exec: packBytes(exec, old?.exec) }
}

function touchedBytes(touched: PackedTouched | null, before: Moment | undefined): number {
  if (!touched) return 0
  const old = before?.touched
  return (
    freshBytes(touched.store, old?.store) + freshBytes(touched.load, old?.load) + freshBytes(touched.exec, old?.exec)
  )
}

const snapshotOf = ({ snapshot, ram, colorRam }: Moment): Snapshot => ({
  ...snapshot,
  image: { ...snapshot.image, ram: unpackBytes(ram), colorRam: unpackBytes(colorRam) },
})

/** @param inputs those after the snapshot; given to the machine when it comes to their clocks */
function goFrom(c64: C64, snapshot: Snapshot, inputs: readonly TimedInput[]): void {
  c64.goTo(snapshot)
  c64.trace.forgetAfter(c64.clock)
  const repeatFrom = (first: number): void => {
    for (let next = first; ; next++) {
      const due = inputs[next]
      if (!due) return
      if (due.clock > c64.clock) {
        c64.setAlarm(due.clock, () => repeatFrom(next))
        return
      }
      asBefore(() => applyInput(c64, due.input))
    }
  }
  repeatFrom(0)
}

/** What the machine refused then, it refuses again. */
function asBefore(input: () => void): void {
  try {
    input()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
