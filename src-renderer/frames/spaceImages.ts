import type { FrameDelivery } from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'

interface SpaceImage {
  readonly bytes: Uint8Array
  readonly changedAt: Float64Array
  readonly dirtyPages: Uint8Array
  /** One byte per address, 1 where it was read: the first value of a byte is no change. */
  readonly isRead: Uint8Array
  known: boolean
}

const SPACE_BYTES = 0x10000

export const neverSince = (): Float64Array => new Float64Array(SPACE_BYTES).fill(-Infinity)

const newImage = (): SpaceImage => ({
  bytes: new Uint8Array(SPACE_BYTES),
  changedAt: neverSince(),
  dirtyPages: new Uint8Array(0x100),
  isRead: new Uint8Array(SPACE_BYTES),
  known: false,
})

export class SpaceImages {
  readonly #images = new Map<Space, SpaceImage>()

  of(space: Space): Readonly<SpaceImage> {
    return this.#image(space)
  }

  known(space: Space): boolean {
    return this.#images.get(space)?.known ?? false
  }

  /** @param now `performance.now()` */
  merge(segments: FrameDelivery['frame']['segments'], sameAsRam: FrameDelivery['sameAsRam'], now: number): void {
    for (const { space, address, bytes } of segments) mergeBytes(this.#image(space), address, bytes, now)
    const ram = this.#image('ram').bytes
    for (const { space, address, length } of sameAsRam)
      mergeBytes(this.#image(space), address, ram.subarray(address, address + length), now)
    for (const { space } of [...segments, ...sameAsRam]) this.#image(space).known = true
  }

  clear(): void {
    for (const image of this.#images.values()) {
      image.bytes.fill(0)
      image.changedAt.fill(-Infinity)
      image.dirtyPages.fill(1)
      image.isRead.fill(0)
      image.known = false
    }
  }

  markClean(): void {
    for (const image of this.#images.values()) image.dirtyPages.fill(0)
  }

  #image(space: Space): SpaceImage {
    const found = this.#images.get(space)
    if (found) return found
    const image = newImage()
    this.#images.set(space, image)
    return image
  }
}

function mergeBytes(image: SpaceImage, address: number, incoming: Uint8Array, now: number): void {
  const { bytes, changedAt, dirtyPages, isRead } = image
  for (let offset = 0; offset < incoming.length; offset++) {
    const at = address + offset
    if (bytes[at] === incoming[offset]) continue
    if (isRead[at] === 1) changedAt[at] = now
    dirtyPages[at >> 8] = 1
  }
  bytes.set(incoming, address)
  isRead.fill(1, address, address + incoming.length)
}
