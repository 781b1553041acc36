/** RAM in blocks, so that moments that follow each other share the blocks that did not change between them. */
const BLOCK = 1024

export type PackedRam = readonly Uint8Array[]

/** @param before the moment before, whose unchanged blocks are used again */
export function packRam(ram: Uint8Array, before: PackedRam | undefined): PackedRam {
  return Array.from({ length: ram.length / BLOCK }, (_, index) => {
    const block = ram.subarray(index * BLOCK, (index + 1) * BLOCK)
    const old = before?.[index]
    return old && Buffer.compare(old, block) === 0 ? old : block.slice()
  })
}

export function unpackRam(blocks: PackedRam): Uint8Array {
  const ram = new Uint8Array(blocks.length * BLOCK)
  for (const [index, block] of blocks.entries()) ram.set(block, index * BLOCK)
  return ram
}
