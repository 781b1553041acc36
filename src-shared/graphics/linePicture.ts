import type { TakeLine } from './artworkPixels'

const NOTHING = 0xffffffff

export class LinePicture {
  readonly width: number
  readonly height: number
  readonly words: Uint32Array
  readonly #columns: number
  readonly #shown: Uint32Array
  #colours: Uint32Array
  #top: number
  #bottom = 0

  /**
   * @param colours a word for each of the sixteen
   * @param words to draw into, 64 for each cell
   */
  constructor(columns: number, rows: number, colours: Uint32Array, words = new Uint32Array(columns * rows * 64)) {
    this.width = columns * 8
    this.height = rows * 8
    this.words = words
    this.#columns = columns
    this.#colours = colours
    this.#shown = new Uint32Array(columns * rows * 8).fill(NOTHING)
    this.#top = this.height
  }

  recolour(colours: Uint32Array): void {
    this.#colours = colours
    this.#shown.fill(NOTHING)
  }

  readonly take: TakeLine = (cell, y, byte, colours) => {
    const isPairs = colours.length > 2
    const [c0 = 0, c1 = 0, c2 = 0, c3 = 0] = colours
    const sign = byte | (c0 << 8) | (c1 << 12) | (c2 << 16) | (c3 << 20) | (isPairs ? 1 << 24 : 0)
    const index = cell * 8 + y
    if (this.#shown[index] === sign) return
    this.#shown[index] = sign
    const row = Math.floor(cell / this.#columns) * 8 + y
    const at = row * this.width + (cell % this.#columns) * 8
    for (let x = 0; x < 8; x++) {
      const colour = isPairs ? (byte >> (6 - (x & 6))) & 3 : (byte >> (7 - x)) & 1
      this.words[at + x] = this.#colours[(sign >> (8 + 4 * colour)) & 0x0f] ?? 0
    }
    this.#top = Math.min(this.#top, row)
    this.#bottom = Math.max(this.#bottom, row + 1)
  }

  /** Rows of pixels, end exclusive, that changed since the last call; null where none did. */
  takeChanged(): { readonly top: number; readonly bottom: number } | null {
    const changed = this.#top < this.#bottom ? { top: this.#top, bottom: this.#bottom } : null
    this.#top = this.height
    this.#bottom = 0
    return changed
  }
}
