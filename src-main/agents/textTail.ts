const BLOCK_CHARACTERS = 16 * 1024

/** Text that gets longer piece by piece; of too much the end is kept. */
export class TextTail {
  readonly #most: number
  /** Joined from time to time, so that a long life is not that of many thousand short texts. */
  #blocks: string[] = []
  #pieces: string[] = []
  #length = 0
  #fresh = 0

  constructor(most: number) {
    this.#most = most
  }

  add(piece: string): void {
    this.#pieces.push(piece)
    this.#length += piece.length
    this.#fresh += piece.length
    if (this.#fresh > BLOCK_CHARACTERS) this.#join()
    // Seldom, so that many small pieces are not copied for each.
    if (this.#length > 2 * this.#most) this.#cut()
  }

  get text(): string {
    return this.#cut()
  }

  #join(): void {
    this.#blocks.push(this.#pieces.join(''))
    this.#pieces = []
    this.#fresh = 0
  }

  #cut(): string {
    this.#join()
    const text = this.#blocks.join('').slice(-this.#most)
    this.#blocks = [text]
    this.#length = text.length
    return text
  }
}
