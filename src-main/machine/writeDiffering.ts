import { differingRanges } from '@shared/c64/differingRanges'
import type { Space } from '@shared/contract/memory'
import type { Machine } from './machine'

export interface WantedBytes {
  readonly space: Space
  readonly address: number
  readonly bytes: Uint8Array
}

/** @returns how many bytes differed, and were written */
export async function writeDiffering(
  machine: Machine,
  wanted: readonly WantedBytes[],
  signal: AbortSignal,
): Promise<number> {
  let count = 0
  for (const { space, address, bytes } of wanted) {
    const now = await machine.readMemory({ space, address, length: bytes.length }, signal)
    for (const { address: start, length } of differingRanges(bytes, now, { address, mask: 0xff, ignore: [] })) {
      await machine.writeMemory(space, start, bytes.slice(start - address, start - address + length), signal)
      count += length
    }
  }
  return count
}
