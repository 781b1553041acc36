import { AppError } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import type { MemoryRange } from '../machine'
import { mappings } from './codec'

export interface MappedRange {
  readonly mapping: number
  readonly address: number
  readonly length: number
}

/** Addresses where the mapping of `$01` can change what the CPU sees. */
const boundaries = [0xa000, 0xc000, 0xd000, 0xe000, 0x10000] as const

/**
 * Splits a range of a space into ranges of one mapping each.
 * @param cpuMapping the running program's mapping, for the space `cpu`
 * @throws AppError INVALID for a range outside the space
 */
export function mapRange({ space, address, length }: MemoryRange, cpuMapping: number): MappedRange[] {
  checkRange(space, address, length)
  const ranges: MappedRange[] = []
  const end = address + length
  for (let at = address; at < end;) {
    const next = Math.min(end, boundaries.find((boundary) => boundary > at) ?? end)
    const mapping = mappingFor(space, at, cpuMapping)
    const last = ranges.at(-1)
    if (last?.mapping === mapping) ranges[ranges.length - 1] = { ...last, length: last.length + next - at }
    else ranges.push({ mapping, address: at, length: next - at })
    at = next
  }
  return ranges
}

/** Keeps the ACIA mapped where possible: without it, the stub has to copy the bytes before it can send them. */
function mappingFor(space: Space, address: number, cpuMapping: number): number {
  const isIo = address >= 0xd000 && address < 0xe000
  switch (space) {
    case 'cpu':
      return cpuMapping
    case 'ram':
      return isIo ? mappings.ram : mappings.io
    case 'rom':
      return isIo ? mappings.characterRom : mappings.rom
    case 'io':
    case 'colorRam':
      return mappings.io
  }
}

function checkRange(space: Space, address: number, length: number): void {
  const end = address + length
  if (length === 0) throw new AppError('INVALID', 'The range is empty.')
  if (end > 0x10000) throw new AppError('INVALID', 'The range goes past $FFFF.')
  if (space === 'io' && (address < 0xd000 || end > 0xe000))
    throw new AppError('INVALID', 'The I/O registers are at $D000 to $DFFF.')
  if (space === 'colorRam' && (address < 0xd800 || end > 0xdc00))
    throw new AppError('INVALID', 'Colour RAM is at $D800 to $DBFF.')
}
