/** Bitmaps: number n is bit n & 7 of byte n >> 3. */

export const hasBit = (bits: Uint8Array, n: number): boolean => ((bits[n >> 3] ?? 0) & (1 << (n & 7))) !== 0

export function setBit(bits: Uint8Array, n: number): void {
  bits[n >> 3] = (bits[n >> 3] ?? 0) | (1 << (n & 7))
}

export function clearBit(bits: Uint8Array, n: number): void {
  bits[n >> 3] = (bits[n >> 3] ?? 0) & ~(1 << (n & 7))
}

export function eachBit(bits: Uint8Array, found: (n: number) => void): void {
  for (let index = 0; index < bits.length; index++) {
    const eight = bits[index] ?? 0
    if (eight === 0) continue
    for (let bit = 0; bit < 8; bit++) if ((eight & (1 << bit)) !== 0) found((index << 3) | bit)
  }
}
