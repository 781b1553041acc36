/** Passes the output of several programs on to one stream, so that no line of one stands inside a line of another. */
export class LineWriter {
  #stream
  #rest = ''

  constructor(stream) {
    this.#stream = stream
  }

  /** Takes a running program's output as it comes; what ends no line waits for its end. */
  write(chunk) {
    const text = this.#rest + chunk
    const end = text.lastIndexOf('\n') + 1
    this.#rest = text.slice(end)
    if (end > 0) this.#stream.write(text.slice(0, end))
  }

  /** Prints whole lines at once, between those of the running program. */
  print(text) {
    this.#stream.write(text.endsWith('\n') ? text : `${text}\n`)
  }

  end() {
    if (this.#rest !== '') this.print(this.#rest)
    this.#rest = ''
  }
}
