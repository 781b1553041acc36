import type { SourceLine } from './read/labelFile'

export interface DebugLine {
  readonly debugFile: string
  readonly line: SourceLine
}

const MAX_NESTED = 16

export class LineTable {
  /** By address; at equal addresses the shortest is last. */
  readonly #lines: readonly DebugLine[]
  readonly #around: Int32Array

  constructor(lines: readonly DebugLine[]) {
    this.#lines = [...lines].sort((a, b) => a.line.start - b.line.start || b.line.end - a.line.end)
    this.#around = linesAround(this.#lines)
  }

  /** Innermost first: a line of C contains those of its assembler code. */
  at(address: number, most = MAX_NESTED): DebugLine[] {
    let low = 0
    let high = this.#lines.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#lines[middle]?.line.start ?? 0) <= address) low = middle + 1
      else high = middle
    }
    const found: DebugLine[] = []
    for (let index = low - 1; index >= 0 && found.length < most; index = this.#around[index] ?? -1) {
      const each = this.#lines[index]
      if (each && address < each.line.end) found.push(each)
    }
    return found
  }
}

function linesAround(lines: readonly DebugLine[]): Int32Array {
  const around = new Int32Array(lines.length).fill(-1)
  for (const [index, { line }] of lines.entries()) {
    let outer = index - 1
    while (outer >= 0 && (lines[outer]?.line.end ?? 0) <= line.start) outer = around[outer] ?? -1
    around[index] = outer
  }
  return around
}
