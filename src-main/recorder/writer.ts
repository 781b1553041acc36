/** Adds frames to a recording. It lives in the recorder's worker: every call may wait for the disk. */
import { statfsSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Database } from 'better-sqlite3'
import { AppError } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import { spaces, type Register } from '@shared/contract/memory'
import { Blocks } from './blocks'
import { BLOCK_FRAMES, BlockChanges, type PageChanges } from './columns'
import { chainNames, chains, Image, sizeOf, type Chain } from './image'
import { pack, type Packed } from './packing'
import { encodeRuns, putVarint, type Range } from './runs'
import { describeDatabaseError, openToWrite } from './schema'

/** A block also ends when its deltas hold this many bytes: what has to be read for one moment stays bounded. */
const BLOCK_BYTES = 256 * 1024
/** Size of the write-ahead log at which it is taken over into the file, bytes. */
const CHECKPOINT_AT = 16 * 1024 * 1024
/** Room on the disk without which a recording is not begun, bytes. */
const LEAST_ROOM = 16 * 1024 * 1024

/** A row that waits to be written. */
type Row = () => void

type Keyframe = Packed & { readonly crc: number }

export class RecordingWriter {
  readonly #path: string
  readonly #database: Database
  readonly #statements: ReturnType<typeof prepare>
  readonly #chains = new Map<Chain, ChainWriter>()
  readonly #layouts = new Map<string, number>()
  #rows: Row[] = []
  /** Number of the next frame. */
  #frame = 0
  #written = 0
  #time = 0
  #epoch: Pick<Frame, 'epoch' | 'machine'> | undefined

  /**
   * Goes on where a recording ended, and makes one where there is none.
   * @throws AppError INVALID where the disk is full or the file is damaged.
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

  /** Frames in the file. */
  get frames(): number {
    return this.#written
  }

  /** What the file takes when all that was flushed is in it, bytes. */
  get bytes(): number {
    return (
      Number(this.#database.pragma('page_count', { simple: true })) *
      Number(this.#database.pragma('page_size', { simple: true }))
    )
  }

  /** Takes a frame; it is in the file after the next {@link flush}. */
  append(frame: Frame): void {
    const number = this.#frame++
    const { machine, epoch } = frame
    if (this.#epoch?.epoch !== epoch || this.#epoch.machine !== machine) {
      this.#epoch = { epoch, machine }
      for (const chain of this.#chains.values()) this.#seal(chain)
      this.#chains.clear()
      this.#rows.push(() => this.#statements.epoch.run(number, epoch, machine))
    }
    // The clock of the computer may be set back; the order of the frames is what counts then.
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
   * Writes what waits, in one transaction.
   * @throws AppError INVALID when the disk is full; then nothing of it is in the file, and all that was flushed before is.
   */
  flush(): void {
    const rows = this.#rows
    this.#rows = []
    if (rows.length === 0) return
    try {
      this.#database.transaction(() => {
        for (const row of rows) row()
      })()
      this.#written = this.#frame
      if (sizeOfFile(`${this.#path}-wal`) > CHECKPOINT_AT) this.#database.pragma('wal_checkpoint(PASSIVE)')
    } catch (error) {
      throw describeDatabaseError(error, basename(this.#path))
    }
  }

  /** Flushes and closes. The file is closed also when it throws. */
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

  /** Closes without writing what waits: for a recording that failed. */
  abandon(): void {
    this.#rows = []
    this.#database.close()
  }

  pin(pinned: boolean): void {
    this.#rows.push(() => this.#statements.fact.run('pinned', String(pinned)))
    this.flush()
  }

  #update(
    name: Chain,
    frame: number,
    segments: readonly { readonly address: number; readonly bytes: Uint8Array }[],
  ): void {
    const chain = this.#chain(name, frame)
    const isFull = frame >= chain.first + BLOCK_FRAMES || chain.size > BLOCK_BYTES
    const before = isFull ? chain.keyframe() : undefined
    const ranges = chain.image.update(segments)
    if (ranges.length === 0) return
    if (before) {
      this.#seal(chain)
      chain.begin(frame)
      this.#putKeyframe(chain, before)
    }
    const runs = encodeRuns(chain.image.bytes, ranges)
    chain.note(frame, ranges, runs.length)
    const delta = pack(runs)
    const { checksum } = chain.image
    this.#rows.push(() =>
      this.#statements.delta.run(frame * 16 + chains[chain.name], delta.codec, checksum, delta.data),
    )
  }

  /** A picture of another size is another picture: nothing of the one before is kept. */
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

  /** The block has all its frames: from now on its changes can be looked up by page. */
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
    this.#time = time
    for (const { layout, registers } of this.#statements.layouts.all()) this.#layouts.set(registers, layout)
    // Who recorded before may have ended before the last blocks were sealed.
    const blocks = new Blocks(this.#database)
    for (const name of chainNames) {
      const first = blocks.firsts(name).at(-1)
      if (first === undefined || name === 'picture') continue
      const changes = new BlockChanges()
      blocks.walk(name, first, (frame, address, value) => changes.add(frame - first, address, value))
      this.#putColumns(name, first, changes.pages())
    }
    this.flush()
  }
}

/** One chain while it is written. */
class ChainWriter {
  readonly name: Chain
  readonly image: Image
  /** Bytes of the picture. */
  length = 0
  /** The block's first frame. */
  first: number
  /** Bytes of the block's deltas before they are packed. */
  size = 0
  #changes = new BlockChanges()
  #keyframe: Keyframe | undefined

  constructor(name: Chain, first: number) {
    this.name = name
    this.first = first
    this.image = new Image(sizeOf(name))
  }

  /** The image as it is now, for the next block. It is kept until that begins: a quiet chain may take long to. */
  keyframe(): Keyframe {
    const { image } = this
    return (this.#keyframe ??= { ...pack(encodeRuns(image.bytes, image.knownRanges())), crc: image.checksum })
  }

  begin(first: number): void {
    this.first = first
    this.#keyframe = undefined
    this.size = 0
  }

  note(frame: number, ranges: readonly Range[], size: number): void {
    this.size += size
    if (this.name === 'picture') return
    for (const { start, end } of ranges) {
      for (let address = start; address < end; address++)
        this.#changes.add(frame - this.first, address, this.image.bytes[address] ?? 0)
    }
  }

  takeChanges(): PageChanges[] {
    const changes = this.#changes
    if (changes.size === 0) return []
    this.#changes = new BlockChanges()
    return changes.pages()
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
    end: database.prepare<[], { last: number; time: number }>(
      'SELECT frame AS last, time FROM frames ORDER BY frame DESC LIMIT 1',
    ),
    layouts: database.prepare<[], { layout: number; registers: string }>('SELECT layout, registers FROM layouts'),
  }
}

function requireRoom(path: string): void {
  const { bavail, bsize } = statfsSync(dirname(path))
  if (bavail * bsize >= LEAST_ROOM) return
  throw new AppError(
    'INVALID',
    `${basename(path)} was not begun: less than ${LEAST_ROOM / 1024 / 1024} MiB are free on its disk.`,
    { hint: 'Make room first.' },
  )
}

function sizeOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
