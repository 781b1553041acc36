import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Frame, Segment } from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'
import { MAX_PAGE_CACHE_KIB } from '../storage/pageCache'
import { RecordingReader } from './reader'
import { openToRead, openToWrite } from './schema'
import { RecordingWriter } from './writer'

// Many recordings are written; how long that takes is no part of what is tested.
vi.setConfig({ testTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'recordings-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const newFile = (): string => join(folder, `${files++}.sqlite`)

const START = 1_790_000_000_000

const frame = (number: number, segments: readonly Segment[], more: Partial<Frame> = {}): Frame => ({
  machine: 'builtin',
  epoch: 1,
  seq: number,
  time: START + number * 20,
  segments,
  ...more,
})

const bytes = (space: Space, address: number, ...values: number[]): Segment => ({
  space,
  address,
  bytes: Uint8Array.from(values),
})

function record(frames: readonly Frame[], file = newFile()): string {
  const writer = new RecordingWriter(file)
  for (const [index, one] of frames.entries()) {
    writer.append(one)
    if (index % 12 === 0) writer.flush()
  }
  writer.close()
  return file
}

function reading<T>(file: string, read: (reader: RecordingReader) => T): T {
  const reader = new RecordingReader(file)
  try {
    return read(reader)
  } finally {
    reader.close()
  }
}

/** Memory as frames tell it, in the plainest way. */
class Truth {
  readonly #moments: { time: number; epoch: number; memory: ReadonlyMap<string, number> }[] = []

  constructor(frames: readonly Frame[]) {
    let memory = new Map<string, number>()
    let epoch: number | undefined
    for (const one of frames) {
      memory = one.epoch === epoch ? new Map(memory) : new Map<string, number>()
      epoch = one.epoch
      for (const { space, address, bytes } of one.segments)
        for (const [index, byte] of bytes.entries()) memory.set(`${space} ${address + index}`, byte)
      this.#moments.push({ time: one.time, epoch, memory })
    }
  }

  at(time: number): ReadonlyMap<string, number> {
    return this.#moments.findLast((moment) => moment.time <= time)?.memory ?? new Map()
  }

  /** Changes from one known value to another, epochs or not. */
  changes(space: Space, address: number): { time: number; value: number; before: number }[] {
    const changes: { time: number; value: number; before: number }[] = []
    let before: number | undefined
    for (const { time, memory } of this.#moments) {
      const value = memory.get(`${space} ${address}`)
      if (value === undefined) continue
      if (before !== undefined && value !== before) changes.push({ time, value, before })
      before = value
    }
    return changes
  }
}

function memoryOf(segments: readonly Segment[]): Map<string, number> {
  return new Map(
    segments.flatMap(({ space, address, bytes }) =>
      [...bytes].map((byte, index): [string, number] => [`${space} ${address + index}`, byte]),
    ),
  )
}

const anySpace = fc.constantFrom<Space>('cpu', 'ram', 'io')

/** Mostly few small segments at few places, so that addresses change often, sometimes a whole screen. */
const anySegment: fc.Arbitrary<Segment> = fc
  .record({
    space: anySpace,
    address: fc.oneof(fc.constantFrom(0, 0xd020, 0xfffe, 0x3ff, 0x400), fc.integer({ min: 0, max: 0xffff })),
    bytes: fc.oneof(
      { weight: 5, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 4 }) },
      { weight: 1, arbitrary: fc.uint8Array({ minLength: 500, maxLength: 1000 }) },
    ),
  })
  .map(({ space, address, bytes }) => ({ space, address, bytes: bytes.slice(0, 0x10000 - address) }))

const anyFrames: fc.Arbitrary<Frame[]> = fc
  .array(
    fc.record({
      segments: fc.array(anySegment, { maxLength: 4 }),
      newEpoch: fc.oneof({ weight: 30, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      /** The same frame again and again: a quiet machine. */
      repeated: fc.oneof(
        { weight: 10, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.constantFrom(249, 250, 300) },
      ),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((list) => {
    let epoch = 1
    const frames: Frame[] = []
    for (const { segments, newEpoch, repeated } of list) {
      if (newEpoch) epoch++
      for (let count = 0; count < repeated; count++) frames.push(frame(frames.length, segments, { epoch }))
    }
    return frames
  })

describe('a recording', () => {
  it('keeps few of its pages in memory, written or read', () => {
    const path = newFile()
    const opened = [openToWrite(path), openToRead(path)]
    const sizes = opened.map((database) => database.pragma('cache_size', { simple: true }))
    for (const database of opened) database.close()
    expect(sizes).toEqual([-MAX_PAGE_CACHE_KIB, -MAX_PAGE_CACHE_KIB])
  })

  it('gives back the exact bytes of every moment, and only what was known then', () => {
    fc.assert(
      fc.property(anyFrames, fc.array(fc.nat(), { minLength: 1, maxLength: 10 }), (frames, picks) => {
        const truth = new Truth(frames)
        reading(record(frames), (reader) => {
          for (const pick of picks) {
            const { time } = frames[pick % frames.length] ?? { time: 0 }
            const moment = reader.imageAt(time, ['cpu', 'ram', 'io'], false)
            expect(moment.time).toBe(time)
            expect(memoryOf(moment.segments)).toEqual(truth.at(time))
          }
        })
      }),
      { numRuns: 25 },
    )
  })

  it('tells every change of an address', () => {
    fc.assert(
      fc.property(anyFrames, anySpace, (frames, space) => {
        const truth = new Truth(frames)
        reading(record(frames), (reader) => {
          for (const address of [0, 0xd020, 0xffff, 0x400]) {
            const { changes, total } = reader.changes(space, address, {}, 'first', 10_000)
            expect(changes.map(({ time, value, before }) => ({ time, value, before }))).toEqual(
              truth.changes(space, address),
            )
            expect(total).toBe(changes.length)
          }
        })
      }),
      { numRuns: 25 },
    )
  })

  it('gives back the same after it was ended without being closed and gone on with', () => {
    fc.assert(
      fc.property(anyFrames, fc.nat(), (frames, cut) => {
        const file = newFile()
        const writer = new RecordingWriter(file)
        const kept = frames.slice(0, (cut % frames.length) + 1)
        for (const one of kept) writer.append(one)
        writer.flush()
        writer.abandon()
        // Who goes on starts with a new connection.
        const later = frames.slice(kept.length).map((one) => ({ ...one, epoch: one.epoch + 1000 }))
        const all = [...kept, ...later]
        record(later, file)
        const truth = new Truth(all)
        reading(file, (reader) => {
          expect(reader.info().frames).toBe(all.length)
          for (const { time } of [kept.at(-1) ?? frame(0, []), ...later.slice(-1)]) {
            expect(memoryOf(reader.imageAt(time, ['cpu', 'ram', 'io'], false).segments)).toEqual(truth.at(time))
          }
          const { changes } = reader.changes('ram', 0xd020, {}, 'first', 10_000)
          expect(changes.map(({ time, value, before }) => ({ time, value, before }))).toEqual(
            truth.changes('ram', 0xd020),
          )
        })
      }),
      { numRuns: 20 },
    )
  })

  it('keeps registers and pictures, also when the picture gets another size', () => {
    const picture = (height: 240 | 247 | 272, value: number) => ({
      width: 384 as const,
      height,
      pixels: new Uint8Array(192 * height).fill(value),
    })
    const registers = [
      { name: 'PC', value: 0xc123, bits: 16 },
      { name: 'A', value: 7, bits: 8 },
    ]
    const file = record([
      frame(0, [], { registers, picture: picture(272, 1) }),
      frame(1, [], { registers: registers.map((register) => ({ ...register, value: 255 })), picture: picture(272, 2) }),
      frame(2, [], { picture: picture(240, 3) }),
      frame(3, [], { picture: picture(247, 4) }),
      frame(4, []),
    ])
    reading(file, (reader) => {
      expect(reader.imageAt(START, [], true)).toMatchObject({ registers, picture: picture(272, 1) })
      expect(reader.imageAt(START + 20, [], true).registers.map(({ value }) => value)).toEqual([255, 255])
      expect(reader.imageAt(START + 20, [], true).picture).toEqual(picture(272, 2))
      expect(reader.imageAt(START + 40, [], true).picture).toEqual(picture(240, 3))
      expect(reader.imageAt(START + 80, [], true)).toMatchObject({
        registers: [],
        picture: picture(247, 4),
        next: null,
      })
      expect(reader.imageAt(START + 25, [], false)).toMatchObject({ time: START + 20, next: START + 40 })
    })
  })

  it('says what it holds', () => {
    const frames = [
      frame(0, [bytes('ram', 0, 1)]),
      frame(3, [bytes('ram', 0, 2)]),
      frame(4, [bytes('io', 0xd000, 2)], { epoch: 2, machine: 'vice' }),
    ]
    reading(record(frames), (reader) => {
      expect(reader.info()).toMatchObject({
        machine: 'vice',
        from: START,
        to: START + 80,
        frames: 3,
        spaces: ['ram', 'io'],
        picture: false,
        registers: false,
        keyframes: 2,
        missing: 2,
        epochs: [
          { epoch: 1, machine: 'builtin', from: START },
          { epoch: 2, machine: 'vice', from: START + 80 },
        ],
      })
      expect(() => reader.imageAt(START - 1, ['ram'], false)).toThrow('starts at')
    })
  })

  it('knows nothing of a space that the new epoch did not tell yet', () => {
    const file = record([frame(0, [bytes('ram', 0, 1)]), frame(1, [], { epoch: 2 })])
    reading(file, (reader) => expect(reader.imageAt(START + 20, ['ram'], false).segments).toEqual([]))
  })

  it('keeps the order of the frames when the clock is set back', () => {
    const file = record([
      frame(0, [bytes('ram', 0, 1)]),
      frame(1, [bytes('ram', 0, 2)], { time: START - 5000 }),
      frame(2, [bytes('ram', 0, 3)]),
    ])
    reading(file, (reader) => {
      expect(reader.imageAt(START, ['ram'], false)).toMatchObject({ frame: 1, segments: [{ bytes: Uint8Array.of(2) }] })
      expect(reader.imageAt(START + 40, ['ram'], false)).toMatchObject({ frame: 2 })
    })
  })
})

describe('questions about a recording', () => {
  /** $D020 counts every third frame, over several blocks. */
  const counting = record(
    Array.from({ length: 900 }, (_, number) => frame(number, [bytes('io', 0xd020, Math.floor(number / 3) & 0xff, 7)])),
  )

  it('tells the changes within a span, from either end', () => {
    reading(counting, (reader) => {
      const span = { from: START + 20 * 20, to: START + 30 * 20 }
      const { changes, total } = reader.changes('io', 0xd020, span, 'first', 2)
      expect({ changes, total }).toEqual({
        changes: [
          { time: START + 420, frame: 21, value: 7, before: 6 },
          { time: START + 480, frame: 24, value: 8, before: 7 },
        ],
        total: 4,
      })
      expect(reader.changes('io', 0xd020, span, 'last', 1).changes).toMatchObject([{ frame: 30 }])
      expect(reader.changes('io', 0xd021, {}, 'first', 10).changes).toEqual([])
      expect(reader.changes('io', 0xd020, { from: START + 1e9 }, 'first', 10).changes).toEqual([])
    })
  })

  it('tells the bytes that changed most often, and those of the CPU without the chips', () => {
    const most = (file: string, space: Space, limit: number) =>
      reading(file, (reader) => resultOf(reader.mostChanged(space, limit)).bytes)
    expect(most(counting, 'io', 10)).toEqual([{ address: 0xd020, changes: 299 }])
    expect(most(counting, 'cpu', 10)).toEqual([])
    const file = record([
      frame(0, [bytes('cpu', 0x22, 0, 0, 0), bytes('cpu', 0xd012, 1)]),
      frame(1, [bytes('cpu', 0x22, 1, 0, 5), bytes('cpu', 0xd012, 2)]),
      frame(2, [bytes('cpu', 0x22, 1, 0, 5), bytes('cpu', 0xd012, 3)], { epoch: 2 }),
      frame(3, [bytes('cpu', 0x22, 2, 0, 5), bytes('cpu', 0xd012, 4)], { epoch: 2 }),
    ])
    expect(most(file, 'cpu', 10)).toEqual([
      { address: 0x22, changes: 2 },
      { address: 0x24, changes: 1 },
    ])
    expect(most(file, 'cpu', 1)).toHaveLength(1)
  })

  it('draws a value as a line, exactly or with the range of each stretch', () => {
    reading(counting, (reader) => {
      const exact = reader.values('io', 0xd020, { from: START + 20, to: START + 100 }, 10)
      expect(exact).toMatchObject({
        exact: true,
        points: [
          { time: START + 20, value: 0 },
          { time: START + 60, value: 1 },
        ],
      })
      const { points, exact: isExact } = reader.values('io', 0xd020, {}, 50)
      expect(isExact).toBe(false)
      expect(points.length).toBeLessThanOrEqual(50)
      expect(Math.max(...points.map(({ high }) => high))).toBe(255)
      expect(Math.min(...points.map(({ low }) => low))).toBe(0)
      expect(points.at(-1)?.value).toBe(299 & 0xff)
    })
  })

  it('finds the first moment at which a condition holds', () => {
    reading(counting, (reader) => {
      const first = (
        is: 'equals' | 'notEquals' | 'above' | 'below' | 'changes',
        value: number | undefined,
        from = START,
      ) => reader.firstWhen('io', 0xd020, { from }, { is, value }).found?.frame
      expect(first('equals', 0)).toBe(0)
      expect(first('equals', 5)).toBe(15)
      expect(first('notEquals', 0)).toBe(3)
      expect(first('above', 254)).toBe(765)
      expect(first('below', 1, START + 100)).toBe(768)
      expect(first('changes', undefined, START + 60)).toBe(3)
      expect(first('changes', undefined, START + 61)).toBe(6)
      expect(first('equals', 5, START + 17 * 20)).toBe(17)
      expect(reader.firstWhen('io', 0xd021, {}, { is: 'above', value: 7 }).found).toBeNull()
      expect(() => first('above', undefined)).toThrow('needs a value')
    })
  })

  it('tells the ranges that differ between two moments', () => {
    const file = record([
      frame(0, [bytes('ram', 0x10, 1, 2, 3, 4)]),
      frame(1, [bytes('ram', 0x11, 9, 8), bytes('ram', 0x20, 5, 6)]),
    ])
    reading(file, (reader) =>
      expect(reader.difference('ram', [START, START + 20])).toEqual({
        ranges: [{ address: 0x11, before: Uint8Array.of(2, 3), after: Uint8Array.of(9, 8) }],
        unknown: [{ address: 0x20, length: 2 }],
      }),
    )
  })
})

function resultOf<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

describe('a damaged recording', () => {
  const frames = Array.from({ length: 800 }, (_, number) =>
    frame(number, [bytes('ram', 0xd020, number & 0xff, number >> 8)]),
  )

  function damaged(sql: string): string {
    const file = record(frames)
    const database = new Database(file)
    expect(database.prepare(sql).run().changes).toBeGreaterThan(0)
    database.close()
    return file
  }
  const space = 1

  it('skips to the next keyframe where a delta is not what was written, and says which time is lost', () => {
    reading(damaged(`UPDATE deltas SET data = x'a0a0030201' WHERE id = ${300 * 16 + space}`), (reader) => {
      expect(reader.imageAt(START + 299 * 20, ['ram'], false).segments).toMatchObject([
        { bytes: Uint8Array.of(299 & 0xff, 1) },
      ])
      expect(() => reader.imageAt(START + 300 * 20, ['ram'], false)).toThrow('damaged at frame 300')
      expect(reader.imageAt(START + 500 * 20, ['ram'], false).segments).toMatchObject([
        { bytes: Uint8Array.of(500 & 0xff, 1) },
      ])
      // The columns are intact.
      expect(reader.changes('ram', 0xd020, {}, 'first', 10_000)).toMatchObject({ total: 799, damages: [] })
    })
  })

  it('takes the deltas where the columns are not what was written', () => {
    reading(damaged(`UPDATE columns SET data = x'00' WHERE frame = 250`), (reader) =>
      expect(reader.changes('ram', 0xd020, {}, 'first', 10_000)).toMatchObject({ total: 799, damages: [] }),
    )
  })

  it('goes on at the next keyframe where both are damaged', () => {
    const file = damaged(`UPDATE columns SET crc = 1 WHERE frame = 250`)
    const database = new Database(file)
    database.prepare(`UPDATE deltas SET crc = 1 WHERE id = ${400 * 16 + space}`).run()
    database.close()
    reading(file, (reader) => {
      const { changes, damages } = reader.changes('ram', 0xd020, {}, 'first', 10_000)
      expect(damages).toMatchObject([{ from: START + 400 * 20, to: START + 500 * 20 }])
      expect(resultOf(reader.mostChanged('ram', 1)).damages).toEqual(damages)
      expect(changes.filter(({ frame }) => frame >= 400).slice(0, 2)).toMatchObject([
        { frame: 500, value: 499 & 0xff },
        { frame: 500, value: 500 & 0xff },
      ])
    })
  })

  it('refuses the moments of a block whose keyframe is damaged', () => {
    reading(damaged('UPDATE keyframes SET data = randomblob(20) WHERE frame = 250'), (reader) => {
      expect(() => reader.imageAt(START + 260 * 20, ['ram'], false)).toThrow('damaged')
      expect(reader.imageAt(START + 200 * 20, ['ram'], false).frame).toBe(200)
    })
  })
})
