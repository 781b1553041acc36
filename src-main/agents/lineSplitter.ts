/** Longer lines are cut, bytes. Agents' events are far shorter. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024

const NEWLINE = 0x0a

export class LineSplitter {
  readonly #onLine: (line: string, start: number) => void
  #pieces: Buffer[] = []
  #length = 0
  #start = 0
  #position = 0

  /** @param onLine also gets the offset of the line, bytes */
  constructor(onLine: (line: string, start: number) => void) {
    this.#onLine = onLine
  }

  /** @param bytes may be overwritten afterwards */
  add(bytes: Buffer): void {
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#keep(bytes.subarray(start, end), false)
      this.end()
      start = end + 1
      this.#position += 1
      this.#start = this.#position
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start), true)
  }

  end(): void {
    if (this.#pieces.length === 0) return
    const line = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#length = 0
    if (line) this.#onLine(line.toString('utf8').replace(/\r$/, ''), this.#start)
  }

  #keep(piece: Buffer, copied: boolean): void {
    this.#position += piece.length
    const part = piece.subarray(0, MAX_LINE_BYTES - this.#length)
    if (part.length === 0 && this.#pieces.length > 0) return
    this.#pieces.push(copied ? Buffer.from(part) : part)
    this.#length += part.length
  }
}
