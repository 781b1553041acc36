import { differingRanges, type AddressSpan } from '@shared/c64/differingRanges'
import type { SpaceImage } from '@shared/c64/memoryImage'
import { IO_SIZE, IO_START } from '@shared/c64/video'
import { AppError } from '@shared/contract/errors'
import type { Register, Space } from '@shared/contract/memory'
import { MAX_DIFFERING_BYTES, type MemoryDifference, type MemoryDifferences } from '@shared/contract/memorySnapshots'

export interface MemoryContent {
  readonly images: readonly SpaceImage[]
  readonly registers: readonly Register[]
}

const MEMORY_SIZE = 0x10000
/** The first of these that both have: RAM says more, but not every machine reaches all of it. */
const compared: readonly Space[] = ['ram', 'cpu']
/** The chips’ registers change all the time. */
const CHIPS: AddressSpan = { address: IO_START, length: IO_SIZE }

/** @throws AppError INVALID when they have no memory in common */
export function differencesBetween(
  before: MemoryContent,
  after: MemoryContent,
  within: readonly AddressSpan[],
  limit: number,
): MemoryDifferences {
  const pairs = [compared, ['colorRam'] satisfies Space[]].flatMap((spaces) => {
    for (const space of spaces) {
      const [first, second] = [before, after].map(({ images }) => images.find((image) => image.space === space))
      if (first && second) return [overlapOf(first, second)]
    }
    return []
  })
  const [memory] = pairs
  if (!memory || memory.before.length === 0)
    throw new AppError('INVALID', 'The two have no memory in common that could be compared.', {
      hint: 'Compare snapshots of the same addresses.',
    })
  const found = pairs.map((pair) => ({ pair, ranges: differingIn(pair, within) }))
  return {
    differences: found
      .flatMap(({ pair, ranges }) => ranges.slice(0, limit).map((range) => describe(pair, range)))
      .slice(0, limit),
    ranges: found.reduce((sum, { ranges }) => sum + ranges.length, 0),
    bytes: found.reduce((sum, { ranges }) => ranges.reduce((bytes, { length }) => bytes + length, sum), 0),
    unread: pairs.reduce((sum, { unread }) => sum + unread.reduce((bytes, { length }) => bytes + length, 0), 0),
    registers: before.registers.flatMap(({ name, value }) => {
      const now = after.registers.find((register) => register.name === name)?.value
      return now === undefined || now === value ? [] : [{ name, before: value, after: now }]
    }),
  }
}

interface Pair {
  readonly space: Space
  readonly address: number
  readonly before: Uint8Array
  readonly after: Uint8Array
  readonly unread: readonly AddressSpan[]
}

function overlapOf(first: SpaceImage, second: SpaceImage): Pair {
  const address = Math.max(first.address, second.address)
  const end = Math.max(address, Math.min(...[first, second].map((image) => image.address + image.bytes.length)))
  const part = (image: SpaceImage) => image.bytes.subarray(address - image.address, end - image.address)
  return {
    space: first.space,
    address,
    before: part(first),
    after: part(second),
    unread: [...first.skipped, ...second.skipped],
  }
}

function differingIn({ space, address, before, after, unread }: Pair, within: readonly AddressSpan[]): AddressSpan[] {
  const ignore = [...unread, ...(space === 'cpu' ? [CHIPS] : []), ...outside(within)]
  // Only four bits of a byte of colour RAM are connected.
  const mask = space === 'colorRam' ? 0x0f : 0xff
  return differingRanges(before, after, { address, mask, ignore })
}

function describe({ space, address, before, after }: Pair, range: AddressSpan): MemoryDifference {
  const start = range.address - address
  const end = start + Math.min(range.length, MAX_DIFFERING_BYTES)
  return { space, ...range, before: before.slice(start, end), after: after.slice(start, end) }
}

function outside(within: readonly AddressSpan[]): AddressSpan[] {
  if (within.length === 0) return []
  const sorted = within.toSorted((a, b) => a.address - b.address)
  const found: AddressSpan[] = []
  let end = 0
  for (const { address, length } of sorted) {
    if (address > end) found.push({ address: end, length: address - end })
    end = Math.max(end, address + length)
  }
  return end < MEMORY_SIZE ? [...found, { address: end, length: MEMORY_SIZE - end }] : found
}
