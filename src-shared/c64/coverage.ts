/** What of the 64 KiB a program ran, read and wrote: code and data told apart by what the CPU did with them. */
import { hasBit } from '../bitmap'

export const coverageKinds = ['run', 'read', 'written'] as const
export type CoverageKind = (typeof coverageKinds)[number]

/** Bitmaps of 8,192 bytes: address n is bit n & 7 of byte n >> 3. */
export type Coverage = Readonly<Record<CoverageKind, Uint8Array>>

export interface CoveredRange {
  readonly start: number
  /** Inclusive. */
  readonly end: number
  /** What was done with each byte of it. */
  readonly kinds: readonly CoverageKind[]
}

const kindsAt = (coverage: Coverage, address: number): readonly CoverageKind[] =>
  coverageKinds.filter((kind) => hasBit(coverage[kind], address))

/** The ranges that were touched, from the lowest on. */
export function coveredRanges(coverage: Coverage): CoveredRange[] {
  const ranges: { start: number; end: number; kinds: readonly CoverageKind[] }[] = []
  for (let address = 0; address <= 0xffff; address++) {
    const kinds = kindsAt(coverage, address)
    if (kinds.length === 0) continue
    const last = ranges.at(-1)
    if (last?.end === address - 1 && last.kinds.join() === kinds.join()) last.end = address
    else ranges.push({ start: address, end: address, kinds })
  }
  return ranges
}

export interface CoveredPage {
  /** Its first address. */
  readonly start: number
  /** How many of its 256 bytes. */
  readonly bytes: Readonly<Record<CoverageKind, number>>
}

/** The pages of which anything was touched. */
export function coveredPages(coverage: Coverage): CoveredPage[] {
  const count = (kind: CoverageKind, start: number) =>
    coverage[kind].subarray(start >> 3, (start + 0x100) >> 3).reduce((sum, bits) => sum + bitCount(bits), 0)
  return Array.from({ length: 0x100 }, (_, page) => page << 8)
    .map((start) => ({
      start,
      bytes: { run: count('run', start), read: count('read', start), written: count('written', start) },
    }))
    .filter(({ bytes }) => bytes.run + bytes.read + bytes.written > 0)
}

export const coveredBytes = (coverage: Coverage, kind: CoverageKind): number =>
  coverage[kind].reduce((sum, bits) => sum + bitCount(bits), 0)

const bitCount = (bits: number): number => bits.toString(2).replaceAll('0', '').length
