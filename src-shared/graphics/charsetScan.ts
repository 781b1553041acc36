import { countSetBits } from '../c64/spriteScan'

/** 256 characters of eight bytes; the VIC-II needs sets at multiples of this. */
export const CHARSET_BYTES = 0x800
export const CHARSET_CHARACTERS = 256

export interface CharsetThresholds {
  readonly minNonEmptyChars: number
  /** Entropy of a bit, 0 to 1: memory filled with one value has 0. */
  readonly minEntropy: number
}

export const usualThresholds: CharsetThresholds = { minNonEmptyChars: 32, minEntropy: 0.3 }

const looksLikeCharset = (
  bytes: Uint8Array,
  { minNonEmptyChars, minEntropy }: CharsetThresholds = usualThresholds,
): boolean => usedCharacters(bytes) >= minNonEmptyChars && entropyOf(bytes) >= minEntropy

export function charsetCandidates(memory: Uint8Array, thresholds: CharsetThresholds = usualThresholds): number[] {
  const count = Math.floor(memory.length / CHARSET_BYTES)
  return Array.from({ length: count }, (_, index) => index * CHARSET_BYTES).filter((offset) =>
    looksLikeCharset(memory.subarray(offset, offset + CHARSET_BYTES), thresholds),
  )
}

export function usedCharacters(bytes: Uint8Array): number {
  let used = 0
  for (let at = 0; at < bytes.length; at += 8) if (bytes.subarray(at, at + 8).some((byte) => byte !== 0)) used++
  return used
}

/** Shannon entropy of a bit, 0 to 1. */
export function entropyOf(bytes: Uint8Array): number {
  const share = countSetBits(bytes) / (bytes.length * 8)
  return [share, 1 - share].reduce((sum, p) => (p > 0 ? sum - p * Math.log2(p) : sum), 0)
}
