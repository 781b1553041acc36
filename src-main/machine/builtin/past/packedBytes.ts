/** Bytes in blocks, so that moments that follow each other share the blocks that did not change between them. */
import { hasBit } from '@shared/bitmap'

const BLOCK = 1024
/** What a block takes beside its bytes: two objects of JavaScript and the allocator's, measured with Node 24. */
const BLOCK_OVERHEAD_BYTES = 320

const zeros = new Uint8Array(BLOCK)

export type PackedBytes = readonly Uint8Array[]

/** @param before the same of the moment before, whose unchanged blocks are used again */
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

/** What the blocks take that are not those of `before`, bytes. */
export function freshBytes(blocks: PackedBytes, before: PackedBytes | undefined): number {
  let bytes = 0
  for (const [index, block] of blocks.entries())
    if (block !== before?.[index] && block !== zeros) bytes += block.length + BLOCK_OVERHEAD_BYTES
  return bytes
}
