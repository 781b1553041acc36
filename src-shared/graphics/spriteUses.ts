import { decodeVideo, ioByte } from '../c64/video'
import type { SpriteLook } from './artwork'
import { spriteAddresses, spriteLookOf, type GraphicsImage } from './grab'

export interface BlockUse {
  readonly time: number
  readonly look: SpriteLook
  readonly sprites: readonly number[]
}

/** What sprites show between two noted frames is not known. */
export class SpriteUses {
  #uses = new Map<number, BlockUse>()
  #now: ReadonlySet<number> = new Set()

  get now(): ReadonlySet<number> {
    return this.#now
  }

  get all(): ReadonlyMap<number, BlockUse> {
    return this.#uses
  }

  /** Does nothing while the program has switched the VIC-II's registers off. */
  note(image: GraphicsImage, time: number): void {
    if (!decodeVideo(image.io).visible) return
    const enabled = ioByte(image.io, 0xd015)
    const sprites = new Map<number, number[]>()
    spriteAddresses(image).forEach((address, n) => {
      if (((enabled >> n) & 1) === 1) sprites.set(address, [...(sprites.get(address) ?? []), n])
    })
    for (const [address, users] of sprites)
      this.#uses.set(address, { time, look: spriteLookOf(image, users[0] ?? 0), sprites: users })
    this.#now = new Set(sprites.keys())
  }

  clear(): void {
    this.#uses = new Map()
    this.#now = new Set()
  }
}
