export const SPRITE_BYTES = 63

export interface SpriteThresholds {
  readonly minSetBits: number
  readonly minNonZeroRows: number
  readonly skipUniform: boolean
  readonly skipDuplicates: boolean
}

export interface SpriteCandidate {
  readonly offset: number
  readonly bytes: Uint8Array
}

export interface FoundSprite extends SpriteCandidate {
  readonly setBits: number
  readonly nonZeroRows: number
}

export function spriteCandidates(memory: Uint8Array, stride: number): SpriteCandidate[] {
  const count = Math.max(0, Math.floor((memory.length - SPRITE_BYTES) / stride) + 1)
  return Array.from({ length: count }, (_, index) => {
    const offset = index * stride
    return { offset, bytes: memory.slice(offset, offset + SPRITE_BYTES) }
  })
}

/** Keeps the order. A candidate without any bit set is never selected. */
export function selectSprites<Candidate extends SpriteCandidate>(
  candidates: readonly Candidate[],
  { minSetBits, minNonZeroRows, skipUniform, skipDuplicates }: SpriteThresholds,
): (Candidate & FoundSprite)[] {
  const seen = new Set<string>()
  return candidates.flatMap((candidate) => {
    const { bytes } = candidate
    const setBits = countSetBits(bytes)
    const nonZeroRows = countRows(bytes)
    if (setBits === 0 || setBits < minSetBits || nonZeroRows < minNonZeroRows) return []
    if (skipUniform && bytes.every((byte) => byte === bytes[0])) return []
    const key = bytes.join()
    if (skipDuplicates && seen.has(key)) return []
    seen.add(key)
    return [{ ...candidate, setBits, nonZeroRows }]
  })
}

export const countSetBits = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum + onesOf(byte), 0)

function onesOf(byte: number): number {
  let ones = 0
  for (let rest = byte; rest !== 0; rest &= rest - 1) ones++
  return ones
}

export function countRows(bytes: Uint8Array): number {
  let rows = 0
  for (let row = 0; row < bytes.length; row += 3) if (bytes.subarray(row, row + 3).some((byte) => byte !== 0)) rows++
  return rows
}
