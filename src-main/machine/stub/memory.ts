/** Which `$01` the stub is to set for a space, and the requests that a range takes. */
import { AppError } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import type { MemoryRange } from '../machine'
import { mappings } from './codec'

export interface MappedRange {
  readonly mapping: number
  readonly address: number
  readonly length: number
}

/** Where what the CPU sees can change with `$01`. */
const borders = [0xa000, 0xc000, 0xd000, 0xe000, 0x10000] as const

/**
 * The ranges of one mapping each that make up a range of a space.
 * @param cpuMapping what the program has mapped, for the space `cpu`
 * @throws AppError INVALID for a range that the space has not
 */
export function mapRange({ space, address, length }: MemoryRange, cpuMapping: number): MappedRange[] {
  checkRange(space, address, length)
  const ranges: MappedRange[] = []
  const end = address + length
  for (let at = address; at < end;) {
    const next = Math.min(end, borders.find((border) => border > at) ?? end)
    const mapping = mappingFor(space, at, cpuMapping)
    const last = ranges.at(-1)
    if (last?.mapping === mapping) ranges[ranges.length - 1] = { ...last, length: last.length + next - at }
    else ranges.push({ mapping, address: at, length: next - at })
    at = next
  }
  return ranges
}

/** Only where it must be is the ACIA banked out with the rest: then the stub has to copy before it can send. */
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
