/** A block has a keyframe, which is the image before its first frame, and the changes of each frame. */
import { crc32 } from 'node:zlib'
import type { Database } from 'better-sqlite3'
import { BLOCK_FRAMES, eachChange } from './columns'
import { chains, Image, sizeOf, type Chain } from './image'
import { unpack, type Packed } from './packing'
import { eachRun } from './runs'

interface GuardedRow extends Packed {
  readonly crc: number
}

interface DeltaRow extends GuardedRow {
  readonly id: number
}

/** Every byte a run of its own. */
const MAX_RUNS_BYTES = 4 * 0x10000
/** Every byte of a page changes in each frame of a block. */
const MAX_COLUMN_BYTES = 256 * (2 + 2 * BLOCK_FRAMES)

export class DamagedBlock extends Error {
  readonly chain: Chain
  readonly first: number
  readonly frame: number

  constructor(chain: Chain, first: number, frame: number, cause?: unknown) {
    super(`the ${chain === 'picture' ? 'picture' : `space ${chain}`} is damaged at frame ${frame}`, { cause })
    this.chain = chain
    this.first = first
    this.frame = frame
  }
}

export class Blocks {
  readonly #statements: ReturnType<typeof prepare>

  constructor(database: Database) {
    this.#statements = prepare(database)
  }

  firsts(chain: Chain): number[] {
    return this.#statements.firsts.all(chains[chain])
  }

  /** The first frame of the block that contains the frame, or of the last block before it. */
  firstBefore(chain: Chain, frame: number): number | undefined {
    return this.#statements.firstBefore.get(chains[chain], frame)
  }

  /**
   * The image before the block's first frame.
   * @throws DamagedBlock
   */
  keyframe(chain: Chain, first: number): Image {
    return this.#guarded(chain, first, first, () => {
      const row = this.#statements.keyframe.get(chains[chain], first)
      if (!row) throw new RangeError('there is no keyframe')
      const image = new Image(sizeOf(chain))
      image.apply(unpack(row, MAX_RUNS_BYTES))
      if (image.checksum !== row.crc) throw new RangeError('the checksum differs')
      return image
    })
  }

  /**
   * Applies the changes of the frames after `after` up to `last`.
   * @param image of frame `after` in the block that starts at `first`
   * @throws DamagedBlock
   */
  advance(image: Image, chain: Chain, first: number, after: number, last: number): void {
    const rows = this.#guarded(chain, first, after + 1, () => this.#rows(chain, first, after + 1, last))
    for (const [index, row] of rows.entries()) {
      this.#guarded(chain, first, frameOf(row), () => {
        image.apply(unpack(row, MAX_RUNS_BYTES))
        if (index === rows.length - 1 && image.checksum !== row.crc) throw new RangeError('the checksum differs')
      })
    }
  }

  /**
   * Calls `onChange` for every change in the block, by time and then by address, up to the first damaged one.
   * @param next the first frame of the block after it, if any: an epoch ends its last block early
   * @returns the damage that ended it early, if any
   */
  walk(
    chain: Chain,
    first: number,
    next: number | undefined,
    onChange: (frame: number, address: number, value: number) => void,
  ): DamagedBlock | undefined {
    const last = (next ?? Infinity) - 1
    try {
      const image = this.keyframe(chain, first)
      for (const row of this.#guarded(chain, first, first, () => this.#rows(chain, first, first, last))) {
        const frame = frameOf(row)
        const runs = this.#guarded(chain, first, frame, () => {
          const unpacked = unpack(row, MAX_RUNS_BYTES)
          image.apply(unpacked)
          if (image.checksum !== row.crc) throw new RangeError('the checksum differs')
          return unpacked
        })
        eachRun(runs, image.bytes.length, (start, length, from) => {
          for (let index = 0; index < length; index++) onChange(frame, start + index, runs[from + index] ?? 0)
        })
      }
      return undefined
    } catch (error) {
      if (error instanceof DamagedBlock) return error
      throw error
    }
  }

  /**
   * Calls `onChange` for every change of one address in the order of time. Reads the columns of each block, or its deltas
   * where it has none or damaged ones.
   * @returns each damage, and the first frame of the block after it
   */
  history(
    chain: Chain,
    address: number,
    onChange: (frame: number, value: number) => void,
  ): { damage: DamagedBlock; next: number | undefined }[] {
    const damages: { damage: DamagedBlock; next: number | undefined }[] = []
    const firsts = this.firsts(chain)
    const columns = this.#columns(chain, address >> 8)
    for (const [index, first] of firsts.entries()) {
      const next = firsts[index + 1]
      if (damages.at(-1)?.next === first) this.#reportStart(chain, first, address, onChange)
      // The last block may not have its columns yet; in others, no column means no change.
      if (columns && next !== undefined) {
        const column = columns.get(first)
        if (column === undefined || readColumn(column, first, address, onChange)) continue
      }
      const damage = this.walk(chain, first, next, (frame, changed, value) => {
        if (changed === address) onChange(frame, value)
      })
      if (damage) damages.push({ damage, next })
    }
    return damages
  }

  /** After a damaged block: reports the value in the next keyframe as a change. */
  #reportStart(chain: Chain, first: number, address: number, onChange: (frame: number, value: number) => void): void {
    try {
      const value = this.keyframe(chain, first).at(address)
      if (value !== undefined) onChange(first, value)
    } catch (error) {
      if (!(error instanceof DamagedBlock)) throw error
    }
  }

  /** By the first frames of the blocks; undefined where they cannot be read. */
  #columns(chain: Chain, page: number): Map<number, GuardedRow> | undefined {
    try {
      return new Map(this.#statements.columns.all(chains[chain], page).map((row) => [row.frame, row]))
    } catch {
      return undefined
    }
  }

  #rows(chain: Chain, first: number, from: number, to: number): DeltaRow[] {
    const last = Math.min(to, first + BLOCK_FRAMES - 1)
    const number = chains[chain]
    return this.#statements.deltas.all(from * 16 + number, last * 16 + number, number)
  }

  #guarded<T>(chain: Chain, first: number, frame: number, read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw new DamagedBlock(chain, first, frame, error)
    }
  }
}

const frameOf = ({ id }: DeltaRow): number => Math.floor(id / 16)

/** @returns false, without any call of `onChange`, where the column is damaged */
function readColumn(
  column: GuardedRow,
  first: number,
  address: number,
  onChange: (frame: number, value: number) => void,
): boolean {
  const changes: [number, number][] = []
  try {
    const data = unpack(column, MAX_COLUMN_BYTES)
    if (crc32(data) !== column.crc) return false
    eachChange(data, address, (offset, value) => changes.push([first + offset, value]))
  } catch {
    return false
  }
  for (const [frame, value] of changes) onChange(frame, value)
  return true
}

function prepare(database: Database) {
  return {
    firsts: database.prepare<[number], number>('SELECT frame FROM keyframes WHERE chain = ? ORDER BY frame').pluck(),
    firstBefore: database
      .prepare<[number, number], number>(
        'SELECT frame FROM keyframes WHERE chain = ? AND frame <= ? ORDER BY frame DESC LIMIT 1',
      )
      .pluck(),
    keyframe: database.prepare<[number, number], GuardedRow>(
      'SELECT codec, crc, data FROM keyframes WHERE chain = ? AND frame = ?',
    ),
    deltas: database.prepare<[number, number, number], DeltaRow>(
      'SELECT id, codec, crc, data FROM deltas WHERE id BETWEEN ? AND ? AND (id & 15) = ? ORDER BY id',
    ),
    columns: database.prepare<[number, number], GuardedRow & { readonly frame: number }>(
      'SELECT frame, codec, crc, data FROM columns WHERE chain = ? AND page = ?',
    ),
  }
}
