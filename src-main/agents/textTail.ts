const BLOCK_CHARACTERS = 16 * 1024

export class TextTail {
  readonly #most: number
  /** Joined from time to time, so that it never holds many thousand short texts. */
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
    // Seldom, so that not every small piece causes a copy.
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
