import type { SourceLine } from './read/labelFile'

/** Which source line an address comes from, in O(log n). */
export class LineTable {
  /** By address; of those that begin at one address the shortest is last. */
  readonly #lines: readonly SourceLine[]

  constructor(lines: readonly SourceLine[]) {
    this.#lines = [...lines].sort((a, b) => a.start - b.start || b.end - a.end)
  }

  /** `main.s:14`, without the file’s folder; null where no line is known. */
  at(address: number): string | null {
    let low = 0
    let high = this.#lines.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#lines[middle]?.start ?? 0) <= address) low = middle + 1
      else high = middle
    }
    // A line of C contains those of the assembler code that it became.
    for (let at = low - 1; at >= Math.max(0, low - MAX_NESTED); at--) {
      const line = this.#lines[at]
      if (line && address < line.end) return `${line.file.slice(line.file.search(/[^/\\]*$/))}:${line.line}`
    }
    return null
  }
}

const MAX_NESTED = 16
