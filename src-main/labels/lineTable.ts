import type { SourceLine } from './read/labelFile'

/** Which source line an address comes from, in O(log n). */
export class LineTable {
  /** By address; of those that begin at one address the shortest is last. */
  readonly #lines: readonly SourceLine[]

  constructor(lines: readonly SourceLine[]) {
    this.#lines = [...lines].sort((a, b) => a.start - b.start || b.end - a.end)
  }

  /** The lines that made the byte at an address, the innermost first: a line of C contains those of the assembler code that it became. */
  at(address: number): SourceLine[] {
    let low = 0
    let high = this.#lines.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#lines[middle]?.start ?? 0) <= address) low = middle + 1
      else high = middle
    }
    return this.#lines
      .slice(Math.max(0, low - MAX_NESTED), low)
      .filter(({ end }) => address < end)
      .reverse()
  }
}

const MAX_NESTED = 16

/** `main.s:14`, without the file’s folder. */
export const sourceText = ({ file, line }: SourceLine): string => `${file.slice(file.search(/[^/\\]*$/))}:${line}`
