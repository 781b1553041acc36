import { hasBit } from '@shared/bitmap'

const BLOCK = 1024
/** Bytes of overhead for each block: two JavaScript objects and the allocator's, measured with Node 24. */
const BLOCK_OVERHEAD_BYTES = 320

const zeros = new Uint8Array(BLOCK)

export type PackedBytes = readonly Uint8Array[]

/** @param before its unchanged blocks are reused */
export function packBytes(bytes: Uint8Array, before: PackedBytes | undefined): PackedBytes {
  return Array.from({ length: Math.ceil(bytes.length / BLOCK) }, (_, index) => {
    const block = bytes.subarray(index * BLOCK, (index + 1) * BLOCK)
    const old = before?.[index]
    if (old && Buffer.compare(old, block) === 0) return old
    return Buffer.compare(zeros, block) === 0 ? zeros : block.slice()
  })
}

export function unpackBytes(blocks: PackedBytes): Uint8Array {
  const bytes = new Uint8Array(blocks.reduce((length, block) => length + block.length, 0))
  for (const [index, block] of blocks.entries()) bytes.set(block, index * BLOCK)
  return bytes
}

export function hasPackedBit(blocks: PackedBytes, bit: number): boolean {
  const byte = bit >> 3
  const block = blocks[Math.floor(byte / BLOCK)]
  return block !== undefined && hasBit(block, bit - Math.floor(byte / BLOCK) * BLOCK * 8)
}

export function freshBytes(blocks: PackedBytes, before: PackedBytes | undefined): number {
  let bytes = 0
  for (const [index, block] of blocks.entries())
    if (block !== before?.[index] && block !== zeros) bytes += block.length + BLOCK_OVERHEAD_BYTES
  return bytes
}
