/**
 * Moments are kept three times a second, with the input after each. As the machine is deterministic, it can return to
 * any instruction since the first moment. Times are clocks, in cycles.
 */
import { randomUUID } from 'node:crypto'
import { AppError } from '@shared/contract/errors'
import type { PastPoint } from '../../facets'
import type { TouchedPlaces } from '../accessTrace'
import type { C64, Snapshot } from '../c64'
import type { MachineImage } from '../state'
import { applyInput, sizeOf, type OutsideInput } from './inputs'
import { freshBytes, packBytes, unpackBytes, type PackedBytes } from './packedBytes'

/** Cycles between moments: 16 frames of PAL, a third of a second. */
const MOMENT_CYCLES = 314_496
/** Cycles in which every line of the picture is drawn. */
export const PICTURE_CYCLES = 20_000
/** What came from outside in all, and after one moment, bytes. */
const MAX_INPUT_BYTES = 32 * 2 ** 20
const MAX_MOMENT_BYTES = 2 ** 20
/**
 * Bytes that a moment takes beside its blocks and inputs: the chips as objects, and the lists of blocks. Measured with
 * Node 24.
 */
const MOMENT_OVERHEAD_BYTES = 6 * 1024
/** Bytes that the oldest moment may share with dropped ones: RAM, colour RAM and what was touched. */
const FIRST_MOMENT_BYTES = 160 * 1024
const MAX_BEGINS = 1_000

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
  readonly inputs: readonly TimedInput[]
  readonly inputBytes: number
  readonly touched: PackedTouched | null
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
  readonly left: { readonly from: number; readonly end: number } | null
  readonly bytes: number
}

export interface Stretch {
  readonly start: number
  readonly end: number
  readonly touched: PackedTouched | null
  readonly endPc: number | null
}

export class Past {
  readonly #limits: PastLimits
  #earlier: readonly Moment[] = []
  #last: Moment
  #end: number
  #tracedFrom = 0
  #left: (Future & { readonly from: number; readonly id: string }) | null = null
  #future: string = randomUUID()
  readonly #begins = new Map<string, { readonly from: number; readonly parent: string }>()

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

  #leftBytes(start: number): number {
    if (!this.#left) return 0
    const { from, earlier, last } = this.#left
    return FIRST_MOMENT_BYTES + takenBy([...earlier, last].filter(({ clock }) => clock > from && clock >= start))
  }

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
   * A machine that stands in the past gets another future.
   * @throws AppError as the machine refuses the input
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

  ran(c64: C64): void {
    if (c64.clock <= this.#end) return
    this.#end = c64.clock
    if (c64.clock - this.#last.clock >= MOMENT_CYCLES) this.#addMoment(c64)
  }

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

  *live(c64: C64, inputs: readonly TimedInput[], end: number): Generator<void> {
    for (const { clock, input } of inputs) {
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

  /** Stops at the first instruction at `clock` or later; from there the machine runs as before. */
  goTo(c64: C64, clock: number): void {
    this.#tracedFrom = this.scoutTo(c64, clock)
  }

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

  /** Up to the stretch's end the scout goes the way the machine went. */
  replay(scout: C64, index: number): void {
    const moment = this.#moments[index] ?? this.#last
    goFrom(scout, snapshotOf(moment), moment.inputs)
  }

  goFrom(c64: C64, snapshot: Snapshot, clock: number): void {
    const inputs = this.#moments.flatMap((moment) => moment.inputs)
    const after = inputs.filter((input) => input.clock > snapshot.image.chips.clock)
    goFrom(c64, snapshot, after)
    this.#tracedFrom = snapshot.image.chips.clock
    c64.runTo(clock)
  }

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
   * A point may be before an input at the same clock. From there the machine has another future.
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

  /** The last two moments always stay. */
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

function asBefore(input: () => void): void {
  try {
    input()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
