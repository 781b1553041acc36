import { CHARACTER_BYTES } from '../artwork'

export const SET_CHARACTERS = 256
const NIBBLES = CHARACTER_BYTES * 2
const VALUES = 16

export interface MergedCharacters {
  readonly bytes: Uint8Array
  readonly codes: Uint8Array
  readonly before: number
  readonly after: number
}

/**
 * @param patterns {@link CHARACTER_BYTES} for each cell
 * @param costs loss of each cell by value of each nibble of its bytes: cell, nibble (upper first), value
 */
export function mergeCharacters(patterns: Uint8Array, costs: Float32Array): MergedCharacters {
  const cells = patterns.length / CHARACTER_BYTES
  const { first, of } = different(patterns, cells)
  const kept = first.length <= SET_CHARACTERS ? first.map((_, n) => n) : keepBest(patterns, costs, first, of)
  const bytes = new Uint8Array(SET_CHARACTERS * CHARACTER_BYTES)
  const characters = kept.map((n) => {
    const at = (first[n] ?? 0) * CHARACTER_BYTES
    return patterns.subarray(at, at + CHARACTER_BYTES)
  })
  characters.forEach((character, code) => bytes.set(character, code * CHARACTER_BYTES))
  const codeOf = new Map(kept.map((n, code) => [n, code]))
  const codes = Uint8Array.from(
    { length: cells },
    (_, cell) => codeOf.get(of[cell] ?? 0) ?? cheapestOf(costs, cell, characters),
  )
  return { bytes, codes, before: first.length, after: kept.length }
}

interface Different {
  readonly first: number[]
  readonly of: Int32Array
}

function different(patterns: Uint8Array, cells: number): Different {
  const known = new Map<string, number>()
  const first: number[] = []
  const of = Int32Array.from({ length: cells }, (_, cell) => {
    const key = patterns.subarray(cell * CHARACTER_BYTES, (cell + 1) * CHARACTER_BYTES).join()
    const found = known.get(key)
    if (found !== undefined) return found
    known.set(key, first.length)
    return first.push(cell) - 1
  })
  return { first, of }
}

function costOf(costs: Float32Array, cell: number, pattern: Uint8Array, from: number): number {
  let sum = 0
  let at = cell * NIBBLES * VALUES
  for (let y = 0; y < CHARACTER_BYTES; y++, at += 2 * VALUES) {
    const byte = pattern[from + y] ?? 0
    sum += (costs[at + (byte >> 4)] ?? 0) + (costs[at + VALUES + (byte & 15)] ?? 0)
  }
  return sum
}

function cheapestOf(costs: Float32Array, cell: number, characters: readonly Uint8Array[]): number {
  let [least, best] = [Infinity, 0]
  for (const [code, character] of characters.entries()) {
    const cost = costOf(costs, cell, character, 0)
    if (cost < least) [least, best] = [cost, code]
  }
  return best
}

function keepBest(patterns: Uint8Array, costs: Float32Array, first: readonly number[], of: Int32Array): number[] {
  const count = first.length
  const table = costTable(patterns, costs, first, of)
  const isKept = new Uint8Array(count).fill(1)
  const target = new Int32Array(count)
  const loss = new Float32Array(count)
  const look = (n: number): void => {
    let [least, best] = [Infinity, -1]
    for (let other = 0; other < count; other++) {
      if (other === n || isKept[other] === 0) continue
      const cost = table[n * count + other] ?? 0
      if (cost < least) [least, best] = [cost, other]
    }
    target[n] = best
    loss[n] = least - (table[n * count + n] ?? 0)
  }
  for (let n = 0; n < count; n++) look(n)
  for (let left = count; left > SET_CHARACTERS; left--) {
    let [least, gone] = [Infinity, 0]
    for (let n = 0; n < count; n++) if (isKept[n] === 1 && (loss[n] ?? 0) < least) [least, gone] = [loss[n] ?? 0, n]
    const heir = target[gone] ?? 0
    isKept[gone] = 0
    for (let n = 0; n < count; n++)
      table[heir * count + n] = (table[heir * count + n] ?? 0) + (table[gone * count + n] ?? 0)
    look(heir)
    for (let n = 0; n < count; n++) if (isKept[n] === 1 && target[n] === gone) look(n)
  }
  return first.map((_, n) => n).filter((n) => isKept[n] === 1)
}

function costTable(patterns: Uint8Array, costs: Float32Array, first: readonly number[], of: Int32Array): Float32Array {
  const count = first.length
  const table = new Float32Array(count * count)
  for (let cell = 0; cell < of.length; cell++) {
    const row = (of[cell] ?? 0) * count
    for (let n = 0; n < count; n++) {
      const cost = costOf(costs, cell, patterns, (first[n] ?? 0) * CHARACTER_BYTES)
      table[row + n] = (table[row + n] ?? 0) + cost
    }
  }
  return table
}
