import { hasBit } from '../bitmap'
import { accessSpaces, type AccessSpace } from './banking'

export const coverageKinds = ['run', 'read', 'written'] as const
export type CoverageKind = (typeof coverageKinds)[number]

/** Bitmaps of 8,192 bytes: address n is bit n & 7 of byte n >> 3. */
type CoverageIn = Readonly<Record<CoverageKind, Uint8Array>>
export type Coverage = Readonly<Record<AccessSpace, CoverageIn>>

export interface CoveredRange {
  readonly space: AccessSpace
  readonly start: number
  /** Inclusive. */
  readonly end: number
  readonly kinds: readonly CoverageKind[]
}

const kindsAt = (coverage: CoverageIn, address: number): readonly CoverageKind[] =>
  coverageKinds.filter((kind) => hasBit(coverage[kind], address))

export const coveredRanges = (coverage: Coverage): CoveredRange[] =>
  accessSpaces.flatMap((space) => rangesIn(coverage[space], space)).sort((a, b) => a.start - b.start)

function rangesIn(coverage: CoverageIn, space: AccessSpace): CoveredRange[] {
  const ranges: { space: AccessSpace; start: number; end: number; kinds: readonly CoverageKind[] }[] = []
  for (let address = 0; address <= 0xffff; address++) {
    const kinds = kindsAt(coverage, address)
    if (kinds.length === 0) continue
    const last = ranges.at(-1)
    if (last?.end === address - 1 && last.kinds.join() === kinds.join()) last.end = address
    else ranges.push({ space, start: address, end: address, kinds })
  }
  return ranges
}

export interface CoveredPage {
  readonly space: AccessSpace
  readonly start: number
  readonly bytes: Readonly<Record<CoverageKind, number>>
}

export function coveredPages(coverage: Coverage): CoveredPage[] {
  const count = (space: AccessSpace, kind: CoverageKind, start: number) =>
    coverage[space][kind].subarray(start >> 3, (start + 0x100) >> 3).reduce((sum, bits) => sum + bitCount(bits), 0)
  return Array.from({ length: 0x100 }, (_, page) => page << 8)
    .flatMap((start) => accessSpaces.map((space) => ({ space, start })))
    .map(({ space, start }) => ({
      space,
      start,
      bytes: {
        run: count(space, 'run', start),
        read: count(space, 'read', start),
        written: count(space, 'written', start),
      },
    }))
    .filter(({ bytes }) => bytes.run + bytes.read + bytes.written > 0)
}

export const coveredBytes = (coverage: Coverage, kind: CoverageKind): number =>
  accessSpaces.reduce((all, space) => coverage[space][kind].reduce((sum, bits) => sum + bitCount(bits), all), 0)

const bitCount = (bits: number): number => bits.toString(2).replaceAll('0', '').length
