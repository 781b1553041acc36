/** Answers questions about a recording. It lives in the recorder's worker: every call may take a while. */
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import type { Database } from 'better-sqlite3'
import { AppError } from '@shared/contract/errors'
import { registerSchema, spaces, type Picture, type Register, type Space } from '@shared/contract/memory'
import type { Change, Condition, Damage, Moment, RecordingInfo } from '@shared/contract/recorder'
import { Blocks, DamagedBlock } from './blocks'
import { chainNames, type Chain, type Image } from './image'
import type { Span } from './messages'
import { describeDatabaseError, openToRead } from './schema'

type Info = Omit<RecordingInfo, 'recording' | 'name' | 'open'>

const layoutSchema = z.array(registerSchema.omit({ value: true })).max(64)

/** The value of one address from a frame on. */
interface Step {
  readonly frame: number
  readonly value: number
  readonly before: number | null
}

/** The image of a chain as it was read last: the next question is often about the frame after it. */
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
  readonly #cursors = new Map<Chain, Cursor>()

  /** @throws AppError NOT_FOUND, INVALID where it is no recording or cannot be read, CONFLICT where it is of a newer Bridgedeck. */
  constructor(path: string) {
    this.#path = path
    this.#database = openToRead(path)
    try {
      this.#statements = prepare(this.#database)
      this.#blocks = new Blocks(this.#database)
    } catch (error) {
      this.#database.close()
      throw describeDatabaseError(error, basename(path))
    }
  }

  close(): void {
    this.#database.close()
  }

  info(): Info {
    return this.#asked(() => {
      const frames = this.#frames
      const ends = frames > 0 ? { from: this.timeOf(0), to: this.timeOf(frames - 1) } : { from: null, to: null }
      const epochs = this.#statements.epochs.all()
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
        missing: this.#missing(epochs, frames),
        epochs: epochs.slice(-1000).map(({ frame, epoch, machine }) => ({ epoch, machine, from: this.timeOf(frame) })),
      }
    })
  }

  /**
   * @throws AppError NOT_FOUND before the first frame, INVALID where the file is damaged at that moment; its details say
   * from and to when.
   */
  imageAt(time: number, wanted: readonly Space[], withPicture: boolean): Moment {
    return this.#asked(() => {
      const frame = this.frameAt(time)
      if (frame < 0) throw new AppError('NOT_FOUND', `The recording ${this.#nothingYet(time)}`)
      return {
        time: this.timeOf(frame),
        next: frame + 1 < this.#frames ? this.timeOf(frame + 1) : null,
        frame,
        epoch: this.#epochAt(frame)?.epoch ?? 0,
        segments: wanted.flatMap((space) => this.#segments(space, frame)),
        registers: this.#registers(frame),
        picture: withPicture ? this.pictureAt(frame) : null,
      }
    })
  }

  /** In the order of time; `total` counts those beyond the limit too. */
  changes(
    space: Space,
    address: number,
    span: Span,
    order: 'first' | 'last',
    limit: number,
  ): { changes: Change[]; total: number; damages: Damage[] } {
    return this.#asked(() => {
      const { steps, damages } = this.#steps(space, address, span)
      const changed = steps.filter(({ before }) => before !== null)
      const told = order === 'first' ? changed.slice(0, limit) : changed.slice(-limit)
      return { changes: told.map((step) => this.#change(step)), total: changed.length, damages }
    })
  }

  values(
    space: Space,
    address: number,
    span: Span,
    points: number,
  ): { points: { time: number; value: number; low: number; high: number }[]; exact: boolean; damages: Damage[] } {
    return this.#asked(() => {
      const { steps: changed, start, frames, damages } = this.#steps(space, address, span)
      const steps = start ? [start, ...changed] : changed
      if (steps.length <= points) {
        const exact = steps.map(({ frame, value }) => ({ time: this.timeOf(frame), value, low: value, high: value }))
        return { points: exact, exact: true, damages }
      }
      const width = (frames.last - frames.first + 1) / points
      const stretches: { frame: number; index: number; value: number; low: number; high: number }[] = []
      for (const { frame, value, before } of steps) {
        const index = Math.floor((frame - frames.first) / width)
        const last = stretches.at(-1)
        if (last?.index === index) {
          last.value = value
          last.low = Math.min(last.low, value)
          last.high = Math.max(last.high, value)
        } else {
          const was = before ?? value
          stretches.push({ frame, index, value, low: Math.min(was, value), high: Math.max(was, value) })
        }
      }
      return {
        points: stretches.map(({ frame, value, low, high }) => ({ time: this.timeOf(frame), value, low, high })),
        exact: false,
        damages,
      }
    })
  }

  /** @throws AppError INVALID for a comparison without a value to compare with. */
  firstWhen(
    space: Space,
    address: number,
    span: Span,
    condition: Condition,
  ): { found: Change | null; damages: Damage[] } {
    return this.#asked(() => {
      const holds = test(condition)
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
    return this.#asked(() => {
      const [before, after] = times.map((time) => {
        const frame = this.frameAt(time)
        if (frame < 0) throw new AppError('NOT_FOUND', `The recording ${this.#nothingYet(time)}`)
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

  /** The newest frame at or before the time; -1 before the first one. */
  frameAt(time: number): number {
    const wanted = Math.round(time * 1000)
    let low = 0
    let high = this.#frames
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.#rawTime(middle) <= wanted) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** When a frame was taken, ms since 1970. */
  timeOf(frame: number): number {
    return this.#rawTime(frame) / 1000
  }

  /** The frames of the span; `last` is before `first` where there are none. */
  framesOf({ from, to }: Span): { first: number; last: number } {
    const last = to === undefined ? this.#frames - 1 : this.frameAt(to)
    if (from === undefined) return { first: 0, last }
    const before = this.frameAt(from)
    return { first: before >= 0 && this.#rawTime(before) === Math.round(from * 1000) ? before : before + 1, last }
  }

  /** The reader goes on using it: read it before the next question. Undefined where the chain was not recorded. */
  imageOf(chain: Chain, frame: number): Image | undefined {
    const first = this.#blocks.firstBefore(chain, frame)
    if (first === undefined || first < (this.#epochAt(frame)?.frame ?? 0)) return undefined
    const last = this.#cursors.get(chain)
    const isAhead = last?.first === first && last.frame <= frame
    const cursor = isAhead ? last : { first, image: this.#blocks.keyframe(chain, first), frame: first - 1 }
    // What fails on the way leaves the image half done.
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
    return {
      width: 384,
      height: end === (384 * 240) / 2 ? 240 : 272,
      pixels: Uint8Array.from(image.bytes.subarray(0, end)),
    }
  }

  /** Tells each change of the range in the order of time. Yields after each block which part of them is done, 0 to 1. */
  *eachChange(
    space: Space,
    { start, end }: { start: number; end: number },
    span: Span,
    tell: (frame: number, address: number, value: number) => void,
  ): Generator<number, Damage[]> {
    const frames = this.framesOf(span)
    const firsts = this.#blocks.firsts(space)
    const damages: Damage[] = []
    for (const [index, first] of firsts.entries()) {
      const next = firsts[index + 1]
      if ((next !== undefined && next <= frames.first) || first > frames.last) continue
      const damage = this.#blocks.walk(space, first, (frame, address, value) => {
        if (address >= start && address < end && frame >= frames.first && frame <= frames.last)
          tell(frame, address, value)
      })
      if (damage) damages.push(this.#damage(damage, next))
      yield (index + 1) / firsts.length
    }
    return damages
  }

  get #frames(): number {
    return (this.#statements.last.get() ?? -1) + 1
  }

  /** Of those that started at or before the frame the newest. */
  #epochAt(frame: number): { frame: number; epoch: number } | undefined {
    return this.#statements.epochAt.get(frame)
  }

  #rawTime(frame: number): number {
    return this.#statements.time.get(frame) ?? 0
  }

  #segments(space: Space, frame: number): Moment['segments'] {
    const image = this.imageOf(space, frame)
    if (!image) return []
    // A copy of its own: a view would take the whole image with it.
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

  /** What an address became within the span, and what it was when the span begins. */
  #steps(
    space: Space,
    address: number,
    span: Span,
  ): { steps: Step[]; start: Step | undefined; frames: { first: number; last: number }; damages: Damage[] } {
    const frames = this.framesOf(span)
    const steps: Step[] = []
    let value: number | null = null
    let start: Step | undefined
    const damages = this.#blocks.history(space, address, (frame, next) => {
      // The first frame of an epoch tells all bytes, also those that stayed.
      if (next === value) return
      const step = { frame, value: next, before: value }
      value = next
      if (frame < frames.first) start = { ...step, frame: frames.first, before: null }
      else if (frame <= frames.last) steps.push(step)
    })
    if (frames.last < frames.first) start = undefined
    const told = damages
      .map(({ damage, next }) => this.#damage(damage, next))
      .filter(({ from, to }) => from <= (span.to ?? from) && to >= (span.from ?? to))
    return { steps, start, frames, damages: told.slice(0, 100) }
  }

  #change({ frame, value, before }: Step): Change {
    return { time: this.timeOf(frame), frame, value, before }
  }

  /** @param next the frame from which all can be told again */
  #damage(
    { frame, message, chain, first }: DamagedBlock,
    next = this.#blocks.firsts(chain).find((later) => later > first),
  ): Damage {
    const last = this.#frames - 1
    return {
      from: this.timeOf(frame),
      to: this.timeOf(next ?? last),
      message: `In ${basename(this.#path)} ${message}.`,
    }
  }

  /** Samples of the machine between the recorded ones, by the numbers that they had. */
  #missing(epochs: readonly { frame: number }[], frames: number): number {
    let missing = 0
    for (const [index, { frame }] of epochs.entries()) {
      const last = (epochs[index + 1]?.frame ?? frames) - 1
      const [from, to] = [this.#statements.seq.get(frame), this.#statements.seq.get(last)]
      if (from !== undefined && to !== undefined) missing += Math.max(0, to - from - (last - frame))
    }
    return missing
  }

  #nothingYet(time: number): string {
    if (this.#frames === 0) return 'holds no frame yet.'
    return `starts at ${new Date(this.timeOf(0)).toISOString()}; of ${new Date(time).toISOString()} it knows nothing.`
  }

  #asked<T>(answer: () => T): T {
    try {
      // One moment of a file that is still being written.
      return this.#database.transaction(answer)()
    } catch (error) {
      if (!(error instanceof DamagedBlock)) throw describeDatabaseError(error, basename(this.#path))
      const { from, to, message } = this.#damage(error)
      throw new AppError('INVALID', message, {
        hint: 'Moments before and after it can still be read.',
        details: { from, to },
        cause: error,
      })
    }
  }
}

interface Stretch {
  readonly address: number
  readonly length: number
}

/** Where the addresses hold, joined. */
function stretches(holds: (address: number) => boolean): Stretch[] {
  const found: { address: number; length: number }[] = []
  for (let address = 0; address < 0x10000; address++) {
    if (!holds(address)) continue
    const last = found.at(-1)
    if (last && last.address + last.length === address) last.length++
    else found.push({ address, length: 1 })
  }
  return found
}

function test({ is, value }: Condition): (step: Step) => boolean {
  if (is === 'changes') return ({ before }) => before !== null
  if (value === undefined) throw new AppError('INVALID', `The condition “${is}” needs a value to compare with.`)
  switch (is) {
    case 'equals':
      return (step) => step.value === value
    case 'notEquals':
      return (step) => step.value !== value
    case 'above':
      return (step) => step.value > value
    case 'below':
      return (step) => step.value < value
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

/** With what is not yet in the file itself, bytes. */
function sizeOnDisk(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}

function prepare(database: Database) {
  return {
    fact: database.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck(),
    last: database.prepare<[], number>('SELECT frame FROM frames ORDER BY frame DESC LIMIT 1').pluck(),
    time: database.prepare<[number], number>('SELECT time FROM frames WHERE frame = ?').pluck(),
    seq: database.prepare<[number], number>('SELECT seq FROM frames WHERE frame = ?').pluck(),
    registers: database.prepare<[number], Uint8Array | null>('SELECT registers FROM frames WHERE frame = ?').pluck(),
    layouts: database.prepare<[number], string>('SELECT registers FROM layouts WHERE layout = ?').pluck(),
    epochs: database.prepare<[], { frame: number; epoch: number; machine: string }>(
      'SELECT frame, epoch, machine FROM epochs ORDER BY frame',
    ),
    epochAt: database.prepare<[number], { frame: number; epoch: number }>(
      'SELECT frame, epoch FROM epochs WHERE frame <= ? ORDER BY frame DESC LIMIT 1',
    ),
    keyframes: database.prepare<[], number>('SELECT count(*) FROM keyframes').pluck(),
  }
}
