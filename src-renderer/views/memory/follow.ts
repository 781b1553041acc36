import type { Register } from '@shared/contract/memory'
import type { AddressRange } from '@shared/c64/address'
import type { ChosenOf } from '../../client/viewChoices'

export type Follow = ChosenOf<'memory.follow'>

/** Null when nothing changed. Addresses in `noise` do not count. */
export function newestChange(
  changedAt: Float64Array,
  dirtyPages: Uint8Array,
  { start, end }: AddressRange,
  noise: AddressRange | null,
): number | null {
  let newest = -Infinity
  let found: number | null = null
  for (let page = start >> 8; page < end >> 8; page++) {
    if (dirtyPages[page] !== 1) continue
    if (noise && page >= noise.start >> 8 && page < noise.end >> 8) continue
    for (let address = page << 8; address < (page + 1) << 8; address++) {
      const at = changedAt[address] ?? -Infinity
      if (at > newest) {
        newest = at
        found = address
      }
    }
  }
  return found
}

export const programCounter = (registers: readonly Register[]): number | null =>
  registers.find(({ name }) => name === 'PC')?.value ?? null
