import { printJson, type Json, type JsonObject } from '@shared/json'
import { printEntry } from './registryFile'

const BLOCK_ENTRIES = 256

const SEPARATOR = ',\n    '

export interface PrintedRegistry {
  readonly rest: JsonObject
  readonly entries: Iterable<JsonObject>
  readonly others: readonly Json[]
}

interface Block {
  readonly entries: readonly JsonObject[]
  readonly bytes: Uint8Array
}

/**
 * Caches the bytes of unchanged entries: printing ten thousand tasks takes 20 ms, in which the bridge does nothing
 * else.
 */
export class RegistryPrinter {
  #blocks: Block[] = []

  /** In pieces. Without a line end at the end, as c64bridge writes it. */
  print({ rest, entries, others }: PrintedRegistry): Uint8Array[] {
    this.#blocks = this.#blocksOf([...entries])
    const list = [
      ...(others.length > 0 ? [bytesOf(others.map((other) => printJson(other, '    ')))] : []),
      ...this.#blocks.map(({ bytes }) => bytes),
    ]
    const beside = Object.entries(rest).map(([key, value]) => `,\n  ${JSON.stringify(key)}: ${printJson(value, '  ')}`)
    return [
      Buffer.from('{\n  "tasks": ['),
      ...list.map((bytes, index) => (index === 0 ? bytes.subarray(1) : bytes)),
      Buffer.from(`${list.length === 0 ? '' : '\n  '}]${beside.join('')}\n}`),
    ]
  }

  #blocksOf(entries: readonly JsonObject[]): Block[] {
    return Array.from({ length: Math.ceil(entries.length / BLOCK_ENTRIES) }, (_, index) => {
      const part = entries.slice(index * BLOCK_ENTRIES, (index + 1) * BLOCK_ENTRIES)
      const known = this.#blocks[index]
      return known && isSame(known.entries, part) ? known : { entries: part, bytes: bytesOf(part.map(printEntry)) }
    })
  }
}

const bytesOf = (texts: readonly string[]): Uint8Array => Buffer.from(texts.map((text) => SEPARATOR + text).join(''))

const isSame = (one: readonly JsonObject[], other: readonly JsonObject[]): boolean =>
  one.length === other.length && one.every((entry, index) => entry === other[index])

export const printRegistry = (registry: PrintedRegistry): string =>
  Buffer.concat(new RegistryPrinter().print(registry)).toString()
