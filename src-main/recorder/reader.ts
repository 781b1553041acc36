/** Runs in the recorder's worker, as queries may take long. */
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import type { Database } from 'better-sqlite3'
import { AppError } from '@shared/contract/errors'
import { registerSchema, spaces, type Picture, type Register, type Space } from '@shared/contract/memory'
import { IO_SIZE, IO_START } from '@shared/c64/video'
import {
  MAX_DAMAGES,
  MAX_GAPS,
  type Change,
  type Condition,
  type Damage,
  type Mark,
  type Moment,
  type RecordingInfo,
} from '@shared/contract/recorder'
import { Blocks, DamagedBlock } from './blocks'
import { chainNames, type Chain, type Image } from './image'
import type { Span } from './messages'
import { describeDatabaseError, openToRead } from './schema'
import { readMarks } from './marks'
import { groupSteps, stepTest, type Step } from './steps'
import { stretches, type Stretch } from './stretches'
import { Timeline, type FrameRange, type Gap } from './timeline'

type Info = Omit<RecordingInfo, 'recording' | 'name' | 'open'>

const layoutSchema = z.array(registerSchema.omit({ value: true })).max(64)

interface Cursor {
  readonly first: number
  readonly image: Image
  frame: number
}

export class RecordingReader {
  readonly #path: string
  readonly #database: Database
  readonly #statements: ReturnType<typeof prepare>
  readonly #blocks: Blocks
  readonly #timeline: Timeline
  readonly #cursors = new Map<Chain, Cursor>()

  /** @throws AppError NOT_FOUND, INVALID where it cannot be read as a recording, CONFLICT where a newer Bridgedeck made it */
  constructor(path: string) {
    this.#path = path
    this.#database = openToRead(path)
    try {
      this.#statements = prepare(this.#database)
      this.#blocks = new Blocks(this.#database)
      this.#timeline = new Timeline(this.#database)
    } catch (error) {
      this.#database.close()
      throw describeDatabaseError(error, basename(path))
    }
  }

  close(): void {
    this.#database.close()
  }

  info(): Info {
    return this.#query(() => {
      const { frameCount: frames, epochs } = this.#timeline
      const ends = frames > 0 ? { from: this.timeOf(0), to: this.timeOf(frames - 1) } : { from: null, to: null }
      const found = chainNames.filter((chain) => this.#blocks.firstBefore(chain, frames) !== undefined)
      return {
        machine: epochs.at(-1)?.machine ?? null,
        ...ends,
        frames,
        bytes: sizeOnDisk(this.#path),
        pinned: this.#statements.fact.get('pinned') === 'true',
        problem: null,
        spaces: spaces.filter((space) => found.includes(space)),
        picture: found.includes('picture'),
        registers: this.#statements.layouts.get(0) !== undefined,
        keyframes: this.#statements.keyframes.get() ?? 0,
        missing: this.#timeline.countMissing(),
        epochs: epochs.slice(-1000).map(({ frame, epoch, machine }) => ({ epoch, machine, from: this.timeOf(frame) })),
      }
    })
  }

  /**
   * @throws AppError NOT_FOUND before the first frame, INVALID where the file is damaged at that moment, with the damaged
   * time in its details
   */
  imageAt(time: number, wanted: readonly Space[], withPicture: boolean): Moment {
    return this.#query(() => {
      const frame = this.#requireFrameAt(time)
      return {
        time: this.timeOf(frame),
        next: frame + 1 < this.#timeline.frameCount ? this.timeOf(frame + 1) : null,
        frame,
        epoch: this.#timeline.epochAt(frame)?.epoch ?? 0,
        segments: wanted.flatMap((space) => this.#segments(space, frame)),
        registers: this.#registers(frame),
        picture: withPicture ? this.pictureAt(frame) : null,
      }
    })
  }

  /** In the order of time; `total` also counts changes beyond the limit. */
  changes(
    space: Space,
    address: number,
    span: Span,
    order: 'first' | 'last',
    limit: number,
  ): { changes: Change[]; total: number; damages: Damage[] } {
    return this.#query(() => {
      const { steps, damages } = this.#steps(space, address, span)
      const changed = steps.filter(({ before }) => before !== null)
      const listed = order === 'first' ? changed.slice(0, limit) : changed.slice(-limit)
      return { changes: listed.map((step) => this.#change(step)), total: changed.length, damages }
    })
  }

  values(
    space: Space,
    address: number,
    span: Span,
    points: number,
  ): {
    points: { time: number; value: number; low: number; high: number }[]
    exact: boolean
    damages: Damage[]
    gaps: Gap[]
  } {
    return this.#query(() => {
      const { steps: changed, start, frames, damages } = this.#steps(space, address, span)
      const gaps = this.#timeline.gapsOf(span, MAX_GAPS)
      const steps = start ? [start, ...changed] : changed
      if (steps.length <= points) {
        const exact = steps.map(({ frame, value }) => ({ time: this.timeOf(frame), value, low: value, high: value }))
        return { points: exact, exact: true, damages, gaps }
      }
      const ranges = groupSteps(steps, frames, points)
      return {
        points: ranges.map(({ frame, value, low, high }) => ({ time: this.timeOf(frame), value, low, high })),
        exact: false,
        damages,
        gaps,
      }
    })
  }

  /** @throws AppError INVALID for a comparison without a value */
  firstWhen(
    space: Space,
    address: number,
    span: Span,
    condition: Condition,
  ): { found: Change | null; damages: Damage[] } {
    return this.#query(() => {
      const holds = stepTest(condition)
      const { steps, start, damages } = this.#steps(space, address, span)
      const found = [...(start ? [start] : []), ...steps].find(holds)
      return { found: found ? this.#change(found) : null, damages }
    })
  }

  difference(
    space: Space,
    times: readonly [number, number],
  ): {
    ranges: { address: number; before: Uint8Array; after: Uint8Array }[]
    unknown: { address: number; length: number }[]
  } {
    return this.#query(() => {
      const [before, after] = times.map((time) => {
        const frame = this.#requireFrameAt(time)
        const image = this.imageOf(space, frame)
        return Array.from({ length: 0x10000 }, (_, address) => image?.at(address))
      })
      const differs = (address: number) =>
        before?.[address] !== undefined && after?.[address] !== undefined && before[address] !== after[address]
      const isUnknown = (address: number) => (before?.[address] === undefined) !== (after?.[address] === undefined)
      const bytes = (of: (number | undefined)[] | undefined, { address, length }: Stretch) =>
        Uint8Array.from({ length }, (_, index) => of?.[address + index] ?? 0)
      return {
        ranges: stretches(differs).map((stretch) => ({
          address: stretch.address,
          before: bytes(before, stretch),
          after: bytes(after, stretch),
        })),
        unknown: stretches(isUnknown),
      }
    })
  }

  marks(span: Span): Mark[] {
    return this.#query(() => readMarks(this.#database, span))
  }

  /** ms since 1970. */
  timeOf(frame: number): number {
    return this.#timeline.timeOf(frame)
  }

  framesOf(span: Span): FrameRange {
    return this.#timeline.framesOf(span)
  }

  /** The image is reused by the next query. Undefined where the chain was not recorded. */
  imageOf(chain: Chain, frame: number): Image | undefined {
    const first = this.#blocks.firstBefore(chain, frame)
    if (first === undefined || first < (this.#timeline.epochAt(frame)?.frame ?? 0)) return undefined
    const last = this.#cursors.get(chain)
    const isAhead = last?.first === first && last.frame <= frame
    const cursor = isAhead ? last : { first, image: this.#blocks.keyframe(chain, first), frame: first - 1 }
    // Removed until the read succeeds: a failure leaves the image incomplete.
    this.#cursors.delete(chain)
    this.#blocks.advance(cursor.image, chain, first, cursor.frame, frame)
    cursor.frame = frame
    this.#cursors.set(chain, cursor)
    return cursor.image
  }

  pictureAt(frame: number): Picture | null {
    const image = this.imageOf('picture', frame)
    const end = image?.knownRanges().at(-1)?.end
    if (!image || end === undefined) return null
    const lines = (end * 2) / 384
    return {
      width: 384,
      height: lines === 240 || lines === 247 ? lines : 272,
      pixels: Uint8Array.from(image.bytes.subarray(0, end)),
    }
  }

  /** In the order of time. Yields the progress after each block, 0 to 1. */
  *eachChange(
    space: Space,
    { start, end }: { start: number; end: number },
    span: Span,
    onChange: (frame: number, address: number, value: number) => void,
  ): Generator<number, Damage[]> {
    const frames = this.framesOf(span)
    const firsts = this.#blocks.firsts(space)
    const damages: Damage[] = []
    for (const [index, first] of firsts.entries()) {
      const next = firsts[index + 1]
      if ((next !== undefined && next <= frames.first) || first > frames.last) continue
      const damage = this.#blocks.walk(space, first, next, (frame, address, value) => {
        if (address >= start && address < end && frame >= frames.first && frame <= frames.last)
          onChange(frame, address, value)
      })
      if (damage) damages.push(this.#damage(damage, next))
      yield (index + 1) / firsts.length
    }
    return damages
  }

  /** The most often changed first. Yields the progress after each block, 0 to 1. */
  *mostChanged(
    space: Space,
    limit: number,
  ): Generator<number, { bytes: { address: number; changes: number }[]; damages: Damage[] }> {
    const values = new Int16Array(0x10000).fill(-1)
    const counts = new Uint32Array(0x10000)
    let damages: Damage[]
    try {
      damages = yield* this.eachChange(space, { start: 0, end: 0x10000 }, {}, (_, address, value) => {
        // The first frame of an epoch has all bytes, also unchanged ones.
        if (values[address] !== -1 && values[address] !== value) counts[address] = (counts[address] ?? 0) + 1
        values[address] = value
      })
    } catch (error) {
      throw describeDatabaseError(error, basename(this.#path))
    }
    if (space === 'cpu') counts.fill(0, IO_START, IO_START + IO_SIZE)
    const bytes = Array.from(counts, (changes, address) => ({ address, changes })).filter(({ changes }) => changes > 0)
    return {
      bytes: bytes.sort((one, other) => other.changes - one.changes).slice(0, limit),
      damages: damages.slice(0, MAX_DAMAGES),
    }
  }

  #segments(space: Space, frame: number): Moment['segments'] {
    const image = this.imageOf(space, frame)
    if (!image) return []
    // Copied: sending a view would clone the whole image.
    return image
      .knownRanges()
      .map(({ start, end }) => ({ space, address: start, bytes: Uint8Array.from(image.bytes.subarray(start, end)) }))
  }

  #registers(frame: number): Register[] {
    const row = this.#statements.registers.get(frame)
    if (!row) return []
    const values = varints(row)
    const layout = this.#statements.layouts.get(values[0] ?? 0)
    if (layout === undefined) return []
    return layoutSchema
      .parse(JSON.parse(layout))
      .map((register, index) => ({ ...register, value: values[index + 1] ?? 0 }))
  }

  #steps(
    space: Space,
    address: number,
    span: Span,
  ): { steps: Step[]; start: Step | undefined; frames: FrameRange; damages: Damage[] } {
    const frames = this.framesOf(span)
    const steps: Step[] = []
    let value: number | null = null
    let start: Step | undefined
    const damages = this.#blocks.history(space, address, (frame, next) => {
      // The first frame of an epoch has all bytes, also unchanged ones.
      if (next === value) return
      const step = { frame, value: next, before: value }
      value = next
      if (frame < frames.first) start = { ...step, frame: frames.first, before: null }
      else if (frame <= frames.last) steps.push(step)
    })
    if (frames.last < frames.first) start = undefined
    const inSpan = damages
      .map(({ damage, next }) => this.#damage(damage, next))
      .filter(({ from, to }) => from <= (span.to ?? from) && to >= (span.from ?? to))
    return { steps, start, frames, damages: inSpan.slice(0, MAX_DAMAGES) }
  }

  #change({ frame, value, before }: Step): Change {
    return { time: this.timeOf(frame), frame, value, before }
  }

  #damage(
    { frame, message, chain, first }: DamagedBlock,
    next = this.#blocks.firsts(chain).find((later) => later > first),
  ): Damage {
    const last = this.#timeline.frameCount - 1
    return {
      from: this.timeOf(frame),
      to: this.timeOf(next ?? last),
      message: `In ${basename(this.#path)} ${message}.`,
    }
  }

  #requireFrameAt(time: number): number {
    const frame = this.#timeline.frameAt(time)
    if (frame >= 0) return frame
    const message =
      this.#timeline.frameCount === 0
        ? 'The recording has no frames yet.'
        : `The recording starts at ${new Date(this.timeOf(0)).toISOString()}, after ${new Date(time).toISOString()}.`
    throw new AppError('NOT_FOUND', message)
  }

  #query<T>(read: () => T): T {
    try {
      // In a transaction, as the file may be written to meanwhile.
      return this.#database.transaction(read)()
    } catch (error) {
      if (!(error instanceof DamagedBlock)) throw describeDatabaseError(error, basename(this.#path))
      const { from, to, message } = this.#damage(error)
      throw new AppError('INVALID', message, {
        hint: 'Choose a moment before or after the damage.',
        details: { from, to },
        cause: error,
      })
    }
  }
}

function varints(bytes: Uint8Array): number[] {
  const values: number[] = []
  let value = 0
  let shift = 0
  for (const byte of bytes) {
    value |= (byte & 0x7f) << shift
    shift += 7
    if (byte >= 0x80) continue
    values.push(value)
    value = 0
    shift = 0
  }
  return values
}

/** Including the write-ahead log, bytes. */
function sizeOnDisk(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}

function prepare(database: Database) {
  return {
    fact: database.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck(),
    registers: database.prepare<[number], Uint8Array | null>('SELECT registers FROM frames WHERE frame = ?').pluck(),
    layouts: database.prepare<[number], string>('SELECT registers FROM layouts WHERE layout = ?').pluck(),
    keyframes: database.prepare<[], number>('SELECT count(*) FROM keyframes').pluck(),
  }
}
