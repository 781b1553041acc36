import { petsciiToText } from '@shared/c64/petscii'
import type { MemorySpace } from '@shared/contract/memory'
import { bank, number, requireWithin, required } from './parameters'
import { place } from './place'

const MEMORY_SIZE = 0x10000
const DEFAULT_LENGTH = 256

export const rangeOptions = {
  address: required(place('The first byte.')),
  length: number('N', `Bytes. Default: ${DEFAULT_LENGTH}, or up to $FFFF.`, { min: 1, max: MEMORY_SIZE }),
  bank: bank(),
}

/** @throws UsageError for bytes past $FFFF */
export function memoryRange<Bank extends MemorySpace>({
  address,
  length,
  bank,
}: {
  address: number
  length: number | undefined
  bank: Bank
}): { space: Bank; address: number; length: number } {
  const max = MEMORY_SIZE - address
  return {
    space: bank,
    address,
    length: length === undefined ? Math.min(DEFAULT_LENGTH, max) : requireWithin(length, '--length', { min: 1, max }),
  }
}

const UNDER_CHIPS = 'This is the RAM under the chips; their registers are the bank io.'

export const underChips = (space: MemorySpace, address: number): string =>
  space === 'ram' && address >= 0xd000 && address < 0xe000 ? UNDER_CHIPS : ''

export const printable = (byte: number): string => petsciiToText(byte, 'upper') ?? '.'
