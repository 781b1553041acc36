import type { SourceLine } from './read/labelFile'

/** Which source line an address comes from, in O(log n). */
export class LineTable {
  /** By address; of those that begin at one address the shortest is last. */
  readonly #lines: readonly SourceLine[]
  readonly #around: Int32Array

  constructor(lines: readonly SourceLine[]) {
    this.#lines = [...lines].sort((a, b) => a.start - b.start || b.end - a.end)
    this.#around = linesAround(this.#lines)
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
    const found: SourceLine[] = []
    for (let index = low - 1; index >= 0; index = this.#around[index] ?? -1) {
      const line = this.#lines[index]
      if (line && address < line.end) found.push(line)
    }
    return found
  }
}

/** For each line the nearest one before it that goes on at its start; -1 for none. */
function linesAround(lines: readonly SourceLine[]): Int32Array {
  const around = new Int32Array(lines.length).fill(-1)
  for (const [index, { start }] of lines.entries()) {
    let outer = index - 1
    while (outer >= 0 && (lines[outer]?.end ?? 0) <= start) outer = around[outer] ?? -1
    around[index] = outer
  }
  return around
}

/** `main.s:14`, without the file’s folder. */
export const sourceText = ({ file, line }: SourceLine): string => `${file.slice(file.search(/[^/\\]*$/))}:${line}`
