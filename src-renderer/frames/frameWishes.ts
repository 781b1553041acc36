import type { Space } from '@shared/contract/memory'

export interface FrameWish {
  readonly spaces: readonly Space[]
  readonly picture: boolean
}

export class FrameWishes {
  readonly #wishes = new Set<FrameWish>()
  readonly #listeners = new Set<() => void>()
  #union: FrameWish = { spaces: [], picture: false }

  get union(): FrameWish {
    return this.#union
  }

  add(wish: FrameWish): () => void {
    this.#wishes.add(wish)
    this.#join()
    return () => {
      this.#wishes.delete(wish)
      this.#join()
    }
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #join(): void {
    const all = [...this.#wishes]
    const spaces = [...new Set(all.flatMap((wish) => wish.spaces))].sort()
    const picture = all.some((wish) => wish.picture)
    if (picture === this.#union.picture && spaces.join() === this.#union.spaces.join()) return
    this.#union = { spaces, picture }
    for (const listener of this.#listeners) listener()
  }
}
