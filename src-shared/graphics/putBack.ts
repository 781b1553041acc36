import type { MemoryRun } from '../contract/memory'

/** The upper two bits of $DD00 are the serial bus's; colour RAM has four bits. */
const maskOf = (space: MemoryRun['space'], address: number): number =>
  space === 'colorRam' ? 0x0f : space === 'io' && address === 0xdd00 ? 0x3f : 0xff

/**
 * Restores only bytes that are still as they were left.
 * @param before the old bytes
 * @param left the same places after they were written over
 * @param now the same places
 */
export function putBack(
  before: readonly MemoryRun[],
  left: readonly MemoryRun[],
  now: readonly MemoryRun[],
): MemoryRun[] {
  return before.flatMap(({ space, address, bytes }, n) => {
    const isLeft = (at: number): boolean =>
      (((left[n]?.bytes[at] ?? -1) ^ (now[n]?.bytes[at] ?? 0)) & maskOf(space, address + at)) === 0
    const runs: MemoryRun[] = []
    for (let at = 0; at < bytes.length; at++) {
      if (!isLeft(at)) continue
      const start = at
      while (at < bytes.length && isLeft(at)) at++
      runs.push({ space, address: address + start, bytes: bytes.slice(start, at) })
    }
    return runs
  })
}
