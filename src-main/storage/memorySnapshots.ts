import { z } from 'zod'
import type { SpaceImage } from '@shared/c64/memoryImage'
import { registerSchema, spaces, type Register } from '@shared/contract/memory'
import type { MemorySnapshot } from '@shared/contract/memorySnapshots'
import type { Database } from './database'
import { jsonColumn, readableRow, readableRows } from './rows'

export interface StoredSnapshot {
  readonly name: string
  readonly source: string
  /** ms since 1970 */
  readonly time: number
  readonly images: readonly SpaceImage[]
  readonly registers: readonly Register[]
}

const span = z.object({ address: z.int().min(0).max(0xffff), length: z.int().min(1).max(0x10000) })
const contentSchema = z.object({
  images: z.array(span.extend({ space: z.enum(spaces), skipped: z.array(span) })),
  registers: z.array(registerSchema),
})
const summarySchema = z.object({
  name: z.string(),
  source: z.string(),
  time: z.number(),
  content: jsonColumn(contentSchema),
})
const rowSchema = summarySchema.extend({
  /** SQLite gives a Buffer, whose `slice` would not copy. */
  bytes: z.instanceof(Uint8Array).transform((bytes) => new Uint8Array(bytes)),
})

export class MemorySnapshotStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get all(): MemorySnapshot[] {
    const rows = this.#database.prepare('SELECT name, source, time, content FROM memory_snapshots ORDER BY name').all()
    return readableRows(summarySchema, rows).map(({ content, ...known }) => ({
      ...known,
      ranges: content.images.map(({ space, address, length }) => ({ space, address, length })),
    }))
  }

  get(name: string): StoredSnapshot | undefined {
    const row = this.#database.prepare('SELECT * FROM memory_snapshots WHERE name = ?').get(name)
    const found = readableRow(rowSchema, row)
    return found && fromRow(found)
  }

  set({ name, source, time, images, registers }: StoredSnapshot): void {
    const content: z.input<typeof contentSchema> = {
      images: images.map(({ space, address, bytes, skipped }) => ({
        space,
        address,
        length: bytes.length,
        skipped: [...skipped],
      })),
      registers: [...registers],
    }
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO memory_snapshots (name, source, time, content, bytes)
         VALUES (@name, @source, @time, @content, @bytes)`,
      )
      .run({
        name,
        source,
        time,
        content: JSON.stringify(content),
        bytes: Buffer.concat(images.map(({ bytes }) => bytes)),
      })
  }

  delete(name: string): boolean {
    return this.#database.prepare('DELETE FROM memory_snapshots WHERE name = ?').run(name).changes > 0
  }
}

function fromRow({ content, bytes, ...known }: z.infer<typeof rowSchema>): StoredSnapshot {
  let at = 0
  const images = content.images.map(({ length, ...image }) => ({ ...image, bytes: bytes.subarray(at, (at += length)) }))
  return { ...known, images, registers: content.registers }
}
