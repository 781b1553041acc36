/** Times are clocks, in cycles. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { disassemble } from '@shared/c64/disassembler'
import { AppError } from '@shared/contract/errors'
import { defaultHistory, type HistoryLimits } from '@shared/contract/machine'
import {
  MAX_PAST_INPUTS,
  MAX_WRITERS,
  type BackUnit,
  type ByteAccess,
  type ByteHistory,
  type ByteWrite,
  type PastInputs,
} from '@shared/contract/timeTravel'
import type { PastPoint } from '../../facets'
import type { CheckpointStop } from '@shared/contract/checkpoints'
import { placeIn, type Access, type Write } from '../accessTrace'
import { C64, timings } from '../c64'
import type { Checkpoints } from '../checkpoints'
import type { Roms } from '../pla'
import { cyclesPerLine } from '@shared/c64/vicii'
import { cyclesPerFrame } from '../raster'
import { ByteWriters } from './byteWriters'
import { describeInput, type OutsideInput } from './inputs'
import { Past, type Span } from './past'
import { checkOf, decodePast, encodePast } from './pastFile'
import { callBefore, instructionBefore, lastStop, lastWriteBefore, lastWrites, writeAt, type PastWrite } from './search'

const MAX_CHANGES = 20
const BYTES_PER_MB = 1_000_000
/** ms that the machine may stand while the past of a byte is searched. */
const SEARCH_MS = 60

export class TimeTravel {
  readonly #c64: C64
  readonly #roms: Roms
  readonly #past: Past
  #scout: C64 | undefined
  #writers: ByteWriters | undefined

  constructor(c64: C64, roms: Roms, { minutes, megabytes }: HistoryLimits = defaultHistory) {
    this.#c64 = c64
    this.#roms = roms
    this.#past = new Past(c64, {
      cycles: minutes * 60 * timings[c64.standard].clockRate,
      bytes: megabytes * BYTES_PER_MB,
    })
  }

  /**
   * @param onProgress gets the share done, from 0 to 1, about every 30 ms
   * @throws AppError as decodePast, CONFLICT where the past ran another way, and CANCELLED
   */
  static async fromFile(
    file: Uint8Array,
    roms: Roms,
    signal: AbortSignal,
    onProgress: (share: number) => void = () => undefined,
    limits = defaultHistory,
  ): Promise<{ readonly c64: C64; readonly time: TimeTravel }> {
    const { begin, inputs, end, check } = decodePast(file, roms)
    const { chips } = begin.image
    const c64 = new C64(roms, chips.standard, chips)
    c64.goTo(begin)
    const time = new TimeTravel(c64, roms, limits)
    const start = c64.clock
    for (const _ of time.#past.live(c64, inputs, end)) {
      onProgress(Math.min(1, (c64.clock - start) / (end - start)))
      await nextTurn()
      if (signal.aborted) throw new AppError('CANCELLED', 'The replay was cancelled.')
    }
    if (c64.clock !== end || checkOf(c64.save(), roms) !== check)
      throw new AppError(
        'CONFLICT',
        'The built-in C64 of this Bridgedeck went another way than the one that was saved.',
        {
          hint: 'Replay it with the Bridgedeck that saved it.',
        },
      )
    return { c64, time }
  }

  toFile(seconds: number): Uint8Array {
    const since = this.#c64.clock - seconds * timings[this.#c64.standard].clockRate
    const recorded = this.#past.recordSince(this.#c64, since)
    const check = checkOf(this.#c64.save(), this.#roms)
    return encodePast({ ...recorded, end: this.#c64.clock, check }, this.#roms)
  }

  get inputs(): PastInputs {
    const { clock, standard } = this.#c64
    const inputs = this.#past.recordSince(this.#c64, 0).inputs.map((each) => ({
      clock: each.clock,
      text: describeInput(each.input),
    }))
    return {
      clock,
      clockRate: timings[standard].clockRate,
      start: this.#past.start,
      inputs: inputs.slice(-MAX_PAST_INPUTS),
      more: Math.max(0, inputs.length - MAX_PAST_INPUTS),
    }
  }

  get span(): Span {
    return this.#past.span(this.#c64)
  }

  /** @throws AppError as the machine refuses the input */
  input(input: OutsideInput): void {
    this.#past.input(this.#c64, input)
  }

  ran(): void {
    this.#past.ran(this.#c64)
  }

  goTo(clock: number): void {
    this.#forgetWriters()
    this.#past.goTo(this.#c64, clock)
  }

  get point(): PastPoint {
    return this.#past.point(this.#c64)
  }

  returnTo(point: PastPoint): void {
    this.#forgetWriters()
    this.#past.returnTo(this.#c64, point)
  }

  /** @throws AppError NOT_FOUND where the call to go back over began before the time that is searched */
  back(unit: BackUnit, count: number): void {
    this.#forgetWriters()
    if (unit === 'instruction') {
      const { clock, near } = instructionBefore(this.#search, count)
      this.#past.goFrom(this.#c64, near, clock)
    } else if (unit === 'call') for (let done = 0; done < count; done++) this.#backOverCall()
    else this.goTo(this.#c64.clock - count * this.#cyclesOf(unit))
  }

  #backOverCall(): void {
    const found = callBefore(this.#search, this.#c64.cpu.sp)
    if (!found)
      throw new AppError('NOT_FOUND', 'The call that just returned began too long ago to be found.', {
        hint: 'Step back into it instead.',
      })
    this.#past.goFrom(this.#c64, found.near, found.clock)
  }

  /**
   * Includes checkpoints that would have stopped the machine.
   * @throws AppError NOT_FOUND
   */
  toCheckpoint(checkpoints: Checkpoints): CheckpointStop {
    const found = lastStop(this.#search, checkpoints)
    if (!found) {
      throw new AppError('NOT_FOUND', `No checkpoint was reached in the ${this.#known} before this moment.`, {
        hint: 'Set a checkpoint where the program came by.',
      })
    }
    this.goTo(found.clock)
    return { ...found.hit, time: Date.now(), pc: this.#c64.cpu.pc, pins: this.#c64.space.pins }
  }

  /**
   * The write that made the byte's present value.
   * @throws AppError NOT_FOUND
   */
  toWrite(address: number): void {
    const write = lastWriteBefore(this.#search, this.#c64.space.writePlaceOf(address))
    if (!write) throw new AppError('NOT_FOUND', `Nothing wrote this byte in the ${this.#known} before this moment.`)
    this.goTo(write.begun)
  }

  /** @throws AppError NOT_FOUND where the past was not changed */
  toLeftFuture(): void {
    if (!this.span.left) throw new AppError('NOT_FOUND', 'The past was not changed, so there is no other future.')
    this.#forgetWriters()
    this.#past.toLeftFuture(this.#c64)
  }

  /**
   * The byte as the CPU reaches it: a visible chip; under a ROM the writes to the RAM, but reads and runs of the ROM.
   * @param searchMs for its changes; half as long for its writers
   */
  historyOf(address: number, searchMs = SEARCH_MS): ByteHistory {
    const { trace, clock, space } = this.#c64
    const place = space.writePlaceOf(address)
    const seen = space.readPlaceOf(address)
    const { changes, last, since } = lastWrites(this.#search, place, MAX_CHANGES, searchMs)
    const traced = trace.lastWrite(place)
    const isFound = last !== null && last.clock >= (traced?.clock ?? 0)
    const lastWrite = isFound || !traced ? last : (writeAt(this.#search, place, traced.clock) ?? traced)
    const lastRead = trace.lastRead(seen)
    const lastRun = trace.lastRun(space.placeOf(address))
    const writers = this.#writersOf(place, searchMs / 2)
    return {
      clock,
      seen: placeIn(seen).space,
      written: placeIn(place).space,
      clockRate: timings[this.#c64.standard].clockRate,
      lastWrite: lastWrite && this.#describeWrite(lastWrite),
      lastRead: lastRead && this.#describe(lastRead),
      lastRun,
      changes: changes.map((write) => this.#describeWrite(write)),
      since,
      writers: writers.all.slice(0, MAX_WRITERS).map(({ last, count }) => ({ ...this.#describeWrite(last), count })),
      writersSince: writers.since,
      isSearching: writers.isSearching,
    }
  }

  #writersOf(place: number, searchMs: number): ByteWriters {
    if (this.#writers?.place !== place) this.#writers = new ByteWriters(this.#c64, place)
    this.#writers.search(this.#search, searchMs)
    return this.#writers
  }

  #forgetWriters(): void {
    if (!this.#writers) return
    this.#c64.trace.unwatch()
    this.#writers = undefined
  }

  get #search(): { past: Past; scout: C64; before: number } {
    this.#scout ??= new C64(this.#roms, this.#c64.standard, this.#c64.models)
    return { past: this.#past, scout: this.#scout, before: this.#c64.clock }
  }

  get #known(): string {
    const seconds = (this.#c64.clock - this.#past.start) / timings[this.#c64.standard].clockRate
    return `${seconds.toFixed(1)} s`
  }

  #cyclesOf(unit: 'line' | 'frame'): number {
    const { standard } = this.#c64
    return unit === 'line' ? cyclesPerLine[standard] : cyclesPerFrame(standard)
  }

  #describeWrite(write: Write | PastWrite): ByteWrite {
    const { code } = 'code' in write ? write : { code: null }
    return { ...this.#describe(write, code), from: write.from, to: write.to }
  }

  /** @param code null for the instruction's present bytes */
  #describe({ clock, instruction, cause }: Access, code: number | null = null): ByteAccess {
    if (instruction === null) return { clock, by: null, cause }
    const { space, address } = placeIn(instruction)
    const byteThen = (at: number): number => ((code ?? 0) >> (8 * ((at - address) & 0xffff))) & 0xff
    const read = code === null ? (at: number): number => this.#c64.space.peekIn(space, at) : byteThen
    return { clock, by: { address, space, text: disassemble(read, address).text }, cause }
  }
}
