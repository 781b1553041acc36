import { BlockChanges, type PageChanges } from './columns'
import { Image, sizeOf, type Chain } from './image'
import { pack, type Packed } from './packing'
import { encodeRuns, type Range } from './runs'

export type Keyframe = Packed & { readonly crc: number }

export class ChainWriter {
  readonly name: Chain
  readonly image: Image
  /** Size of the picture, bytes. */
  length = 0
  first: number
  /** Bytes of the block's deltas, unpacked. */
  size = 0
  #changes = new BlockChanges()
  #keyframe: Keyframe | undefined

  constructor(name: Chain, first: number) {
    this.name = name
    this.first = first
    this.image = new Image(sizeOf(name))
  }

  /** The current image for the next block; cached until that begins, which may take long in a quiet chain. */
  keyframe(): Keyframe {
    const { image } = this
    return (this.#keyframe ??= { ...pack(encodeRuns(image.bytes, image.knownRanges())), crc: image.checksum })
  }

  begin(first: number): void {
    this.first = first
    this.#keyframe = undefined
    this.size = 0
  }

  addChanges(frame: number, ranges: readonly Range[], size: number): void {
    this.size += size
    if (this.name === 'picture') return
    for (const { start, end } of ranges) {
      for (let address = start; address < end; address++)
        this.#changes.add(frame - this.first, address, this.image.bytes[address] ?? 0)
    }
  }

  takeChanges(): PageChanges[] {
    const changes = this.#changes
    if (changes.size === 0) return []
    this.#changes = new BlockChanges()
    return changes.pages()
  }
}
