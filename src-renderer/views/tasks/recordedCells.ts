import { formatAddress, parseTypedAddress } from '@shared/c64/address'
import type { Space } from '@shared/contract/memory'

export interface RecordedSegment {
  readonly space: Space
  readonly address: number
  readonly length: number
}

export interface RecordedCell {
  readonly space: Space
  readonly address: number
}

export function sampledText(segments: readonly RecordedSegment[], limit: number): string {
  const count = segments.reduce((sum, { length }) => sum + length, 0)
  const addresses = segments.flatMap(({ address, length }) =>
    count <= limit ? Array.from({ length }, (_, index) => address + index) : [address],
  )
  const shown = addresses.length <= limit && count < 0x10000 ? addresses : addresses.slice(0, 1)
  return shown.map(formatAddress).join(' ')
}

export function cellsOf(text: string, segments: readonly RecordedSegment[]): RecordedCell[] | null {
  const cells: RecordedCell[] = []
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const address = addressOf(word)
    const segment =
      address === null
        ? undefined
        : segments.find((one) => address >= one.address && address < one.address + one.length)
    if (address === null || segment === undefined) return null
    if (!cells.some((cell) => cell.address === address)) cells.push({ space: segment.space, address })
  }
  return cells.length === 0 ? null : cells
}

function addressOf(text: string): number | null {
  try {
    return parseTypedAddress(text)
  } catch {
    return null
  }
}
