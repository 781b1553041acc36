import { SPRITE_BYTES } from './artwork'
import { blocksOfCell, type CellShape } from './blockPainter'
import { blocksIn, blockShape, isLikelySprite, type BlockShape, type GuessLimits } from './blockShape'

export interface BrowsedRange {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  readonly stride: number
}

export interface BlockSource {
  readonly memoryOf: (address: number) => Uint8Array
  readonly offsetOf: (address: number) => number
}

/** The most shapes measured in one frame; the rest waits for later frames. */
const SHAPES_PER_FRAME = 128

export class BrowsedBlocks {
  readonly range: BrowsedRange
  readonly count: number
  readonly #hashes: Int32Array
  readonly #changed: Uint8Array
  readonly #shapes: (BlockShape | undefined)[]
  readonly #outdated: Uint8Array
  #next = 0

  constructor(range: BrowsedRange) {
    this.range = range
    this.count = blocksIn(range.start, range.end, range.stride)
    this.#hashes = new Int32Array(this.count)
    this.#changed = new Uint8Array(this.count)
    this.#outdated = new Uint8Array(this.count)
    this.#shapes = new Array<BlockShape | undefined>(this.count)
  }

  addressOf(block: number): number {
    return this.range.start + block * this.range.stride
  }

  blockAt(address: number): number | null {
    const { start, stride } = this.range
    const block = (address - start) / stride
    return Number.isInteger(block) && block >= 0 && block < this.count ? block : null
  }

  hasChanged(block: number): boolean {
    return this.#changed[block] === 1
  }

  shapeOf(block: number): BlockShape | undefined {
    return this.#shapes[block]
  }

  /** While false, the next updates go on measuring, also of the same memory. */
  get isMeasured(): boolean {
    return !this.#outdated.includes(1)
  }

  /** @param dirtyPages a byte for each 256 bytes, 1 where something changed; null where all may have changed */
  update(source: BlockSource, dirtyPages: Uint8Array | null): void {
    this.#changed.fill(0)
    for (let block = 0; block < this.count; block++) {
      const address = this.addressOf(block)
      if (dirtyPages !== null && dirtyPages[address >> 8] !== 1 && dirtyPages[(address + SPRITE_BYTES - 1) >> 8] !== 1)
        continue
      const hash = hashOf(source.memoryOf(address), source.offsetOf(address))
      if (hash === this.#hashes[block] && this.#shapes[block] !== undefined) continue
      this.#hashes[block] = hash
      this.#changed[block] = 1
      this.#outdated[block] = 1
    }
    this.#measure(source)
  }

  likely(limits: GuessLimits): Uint8Array {
    const seen = new Set<number>()
    const result = new Uint8Array(this.count)
    this.#shapes.forEach((shape, block) => {
      if (!shape || !isLikelySprite(shape, limits)) return
      if (limits.skipDuplicates && seen.has(shape.hash)) return
      seen.add(shape.hash)
      result[block] = 1
    })
    return result
  }

  #measure(source: BlockSource): void {
    let rest = SHAPES_PER_FRAME
    for (let looked = 0; looked < this.count && rest > 0; looked++) {
      const block = this.#next
      this.#next = (this.#next + 1) % this.count
      if (this.#outdated[block] !== 1) continue
      const address = this.addressOf(block)
      this.#shapes[block] = blockShape(source.memoryOf(address), source.offsetOf(address))
      this.#outdated[block] = 0
      rest--
    }
  }
}

function hashOf(memory: Uint8Array, offset: number): number {
  let hash = 0
  for (let at = offset; at < offset + SPRITE_BYTES; at++) hash = Math.imul(hash ^ (memory[at] ?? 0), 0x01000193) + 1
  return hash
}

export const cellsOf = (blocks: number, shape: CellShape): number => Math.floor(blocks / blocksOfCell(shape))
