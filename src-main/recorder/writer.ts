/** Runs in the recorder's worker, as calls may wait for the disk. */
import { statfsSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Database } from 'better-sqlite3'
import { AppError } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import { spaces, type Register } from '@shared/contract/memory'
import type { Mark, NewMark } from '@shared/contract/recorder'
import { Blocks } from './blocks'
import { ChainWriter, type Keyframe } from './chainWriter'
import { BLOCK_FRAMES, BlockChanges, type PageChanges } from './columns'
import { chainNames, chains, type Chain } from './image'
import { addMark, deleteMark } from './marks'
import type { RecordingSize } from './messages'
import { pack } from './packing'
import { encodeRuns, putVarint } from './runs'
import { describeDatabaseError, openToWrite } from './schema'

/** A block with more bytes of deltas ends early, which limits what must be read for one moment. */
const MAX_BLOCK_BYTES = 256 * 1024
const MAX_WAL_BYTES = 16 * 1024 * 1024
const MIN_FREE_BYTES = 16 * 1024 * 1024

type Row = () => void

export class RecordingWriter {
  readonly #path: string
  readonly #database: Database
  readonly #statements: ReturnType<typeof prepare>
  readonly #chains = new Map<Chain, ChainWriter>()
  readonly #layouts = new Map<string, number>()
  #rows: Row[] = []
  #frame = 0
  #written = 0
  /** Of the newest frame, µs since 1970. */
  #time = 0
  #start = 0
  #end = 0
  #epoch: Pick<Frame, 'epoch' | 'machine'> | undefined

  /**
   * Continues a recording, or creates one.
   * @throws AppError INVALID where the disk is full or the file is damaged
   */
  constructor(path: string) {
    this.#path = path
    requireRoom(path)
    this.#database = openToWrite(path)
    try {
      this.#statements = prepare(this.#database)
      this.#resume()
    } catch (error) {
      this.#database.close()
      throw describeDatabaseError(error, basename(path))
    }
  }

  get size(): RecordingSize {
    return { frames: this.#written, bytes: this.#bytes, durationMs: Math.round((this.#end - this.#start) / 1000) }
  }

  get #bytes(): number {
    return (
      Number(this.#database.pragma('page_count', { simple: true })) *
      Number(this.#database.pragma('page_size', { simple: true }))
    )
  }

  /** The frame is in the file after the next {@link flush}. */
  append(frame: Frame): void {
    const number = this.#frame++
    const { machine, epoch } = frame
    if (this.#epoch?.epoch !== epoch || this.#epoch.machine !== machine) {
      this.#epoch = { epoch, machine }
      for (const chain of this.#chains.values()) this.#seal(chain)
      this.#chains.clear()
      this.#rows.push(() => this.#statements.epoch.run(number, epoch, machine))
    }
    // The computer's clock may be set back, but times never decrease.
    this.#time = Math.max(this.#time, Math.round(frame.time * 1000))
    const time = this.#time
    const registers = frame.registers ? this.#registers(frame.registers) : null
    this.#rows.push(() => this.#statements.frame.run(number, time, frame.seq, registers))
    for (const space of spaces) {
      const segments = frame.segments.filter((segment) => segment.space === space)
      if (segments.length > 0) this.#update(space, number, segments)
    }
    if (frame.picture) this.#updatePicture(number, frame.picture.pixels)
    for (const chain of this.#chains.values()) if (number >= chain.first + BLOCK_FRAMES) this.#seal(chain)
  }

  /**
   * Writes pending frames in one transaction.
   * @throws AppError INVALID where the disk is full; then none of them is in the file
   */
  flush(): void {
    const rows = this.#rows
    this.#rows = []
    if (rows.length === 0) return
    try {
      this.#database.transaction(() => {
        for (const row of rows) row()
      })()
      if (this.#written === 0) this.#start = this.#statements.start.get() ?? 0
      this.#written = this.#frame
      this.#end = this.#time
      if (sizeOfFile(`${this.#path}-wal`) > MAX_WAL_BYTES) this.#database.pragma('wal_checkpoint(PASSIVE)')
    } catch (error) {
      throw describeDatabaseError(error, basename(this.#path))
    }
  }

  /** The file is closed even when this throws. */
  close(): void {
    try {
      this.flush()
      this.#database.pragma('wal_checkpoint(TRUNCATE)')
    } catch (error) {
      throw describeDatabaseError(error, basename(this.#path))
    } finally {
      this.#database.close()
    }
  }

  abandon(): void {
    this.#rows = []
    this.#database.close()
  }

  pin(pinned: boolean): void {
    this.#rows.push(() => this.#statements.fact.run('pinned', String(pinned)))
    this.flush()
  }

  /**
   * @param until the last time that may be marked, where that is after the newest frame
   * @throws AppError NOT_FOUND outside of the recorded time
   */
  addMark({ time = this.#end / 1000, text, value }: NewMark, until = 0): Mark {
    if (this.#written === 0) throw new AppError('NOT_FOUND', 'The recording has no frames yet.')
    const [from, to] = [this.#start / 1000, Math.max(this.#end / 1000, until)]
    if (time < from || time > to) {
      const [asked, first, last] = [time, from, to].map((one) => new Date(one).toISOString())
      throw new AppError('NOT_FOUND', `${asked} is not in the recording, which is from ${first} to ${last}.`)
    }
    return this.#change((database) => addMark(database, { time, text, value }))
  }

  deleteMark(mark: number): void {
    this.#change((database) => deleteMark(database, mark))
  }

  #change<T>(change: (database: Database) => T): T {
    try {
      return this.#database.transaction(() => change(this.#database)).immediate()
    } catch (error) {
      throw describeDatabaseError(error, basename(this.#path))
    }
  }

  #update(
    name: Chain,
    frame: number,
    segments: readonly { readonly address: number; readonly bytes: Uint8Array }[],
  ): void {
    const chain = this.#chain(name, frame)
    const isFull = frame >= chain.first + BLOCK_FRAMES || chain.size > MAX_BLOCK_BYTES
    const before = isFull ? chain.keyframe() : undefined
    const ranges = chain.image.update(segments)
    if (ranges.length === 0) return
    if (before) {
      this.#seal(chain)
      chain.begin(frame)
      this.#putKeyframe(chain, before)
    }
    const runs = encodeRuns(chain.image.bytes, ranges)
    chain.addChanges(frame, ranges, runs.length)
    const delta = pack(runs)
    const { checksum } = chain.image
    this.#rows.push(() =>
      this.#statements.delta.run(frame * 16 + chains[chain.name], delta.codec, checksum, delta.data),
    )
  }

  #updatePicture(frame: number, pixels: Uint8Array): void {
    const before = this.#chains.get('picture')
    if (before && before.length !== pixels.length) this.#chains.delete('picture')
    this.#update('picture', frame, [{ address: 0, bytes: pixels }])
    const chain = this.#chains.get('picture')
    if (chain) chain.length = pixels.length
  }

  #chain(name: Chain, frame: number): ChainWriter {
    const known = this.#chains.get(name)
    if (known) return known
    const chain = new ChainWriter(name, frame)
    this.#chains.set(name, chain)
    this.#putKeyframe(chain, { ...pack(new Uint8Array()), crc: 0 })
    return chain
  }

  #putKeyframe({ name, first }: ChainWriter, { codec, data, crc }: Keyframe): void {
    this.#rows.push(() => this.#statements.keyframe.run(chains[name], first, codec, crc, data))
  }

  #seal(chain: ChainWriter): void {
    this.#putColumns(chain.name, chain.first, chain.takeChanges())
  }

  #putColumns(name: Chain, first: number, pages: readonly PageChanges[]): void {
    for (const { page, data } of pages) {
      const packed = pack(data, 6)
      const crc = crc32(data)
      this.#rows.push(() => this.#statements.column.run(chains[name], page, first, packed.codec, crc, packed.data))
    }
  }

  #registers(registers: readonly Register[]): Uint8Array {
    const names = JSON.stringify(registers.map(({ name, bits }) => ({ name, bits })))
    const out = new Uint8Array((registers.length + 1) * 3)
    let at = putVarint(out, 0, this.#layout(names))
    for (const { value } of registers) at = putVarint(out, at, value)
    return out.slice(0, at)
  }

  #layout(names: string): number {
    const known = this.#layouts.get(names)
    if (known !== undefined) return known
    const layout = this.#layouts.size
    this.#layouts.set(names, layout)
    this.#rows.push(() => this.#statements.layout.run(layout, names))
    return layout
  }

  #resume(): void {
    const { last, time } = this.#statements.end.get() ?? { last: -1, time: 0 }
    this.#frame = last + 1
    this.#written = this.#frame
    this.#start = this.#statements.start.get() ?? 0
    this.#time = time
    this.#end = time
    for (const { layout, registers } of this.#statements.layouts.all()) this.#layouts.set(registers, layout)
    // The last blocks are not sealed where the recorder ended unexpectedly.
    const blocks = new Blocks(this.#database)
    for (const name of chainNames) {
      const first = blocks.firsts(name).at(-1)
      if (first === undefined || name === 'picture') continue
      const changes = new BlockChanges()
      blocks.walk(name, first, undefined, (frame, address, value) => changes.add(frame - first, address, value))
      this.#putColumns(name, first, changes.pages())
    }
    this.flush()
  }
}

function prepare(database: Database) {
  return {
    fact: database.prepare(
      'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    ),
    epoch: database.prepare('INSERT INTO epochs (frame, epoch, machine) VALUES (?, ?, ?)'),
    layout: database.prepare('INSERT INTO layouts (layout, registers) VALUES (?, ?)'),
    frame: database.prepare('INSERT INTO frames (frame, time, seq, registers) VALUES (?, ?, ?, ?)'),
    delta: database.prepare('INSERT INTO deltas (id, codec, crc, data) VALUES (?, ?, ?, ?)'),
    keyframe: database.prepare('INSERT INTO keyframes (chain, frame, codec, crc, data) VALUES (?, ?, ?, ?, ?)'),
    column: database.prepare(
      'INSERT OR REPLACE INTO columns (chain, page, frame, codec, crc, data) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    start: database.prepare<[], number>('SELECT time FROM frames WHERE frame = 0').pluck(),
    end: database.prepare<[], { last: number; time: number }>(
      'SELECT frame AS last, time FROM frames ORDER BY frame DESC LIMIT 1',
    ),
    layouts: database.prepare<[], { layout: number; registers: string }>('SELECT layout, registers FROM layouts'),
  }
}

function requireRoom(path: string): void {
  const { bavail, bsize } = statfsSync(dirname(path))
  if (bavail * bsize >= MIN_FREE_BYTES) return
  throw new AppError(
    'INVALID',
    `${basename(path)} was not started: its disk has less than ${MIN_FREE_BYTES / 1024 / 1024} MiB free.`,
    { hint: 'Free some space first.' },
  )
}

function sizeOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
