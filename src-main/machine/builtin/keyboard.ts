/** The 8x8 key matrix between the two ports of CIA 1. */
import { matrixPosition, type C64Key } from '@shared/c64/keyboardMatrix'

export class Keyboard {
  /** For each column (port A bit) the rows (port B bits) whose key is down. */
  readonly #columns = new Uint8Array(8)

  /** The whole set of keys held down. RESTORE is not in the matrix. */
  setKeys(keys: readonly C64Key[]): void {
    this.#columns.fill(0)
    for (const key of keys) {
      const position = matrixPosition(key)
      if (position) this.#columns[position.column] = (this.#columns[position.column] ?? 0) | (1 << position.row)
    }
  }

  /** Port B's pins while `columns` is on port A's; 0 pulls low, through any pressed key. */
  rows(columns: number): number {
    let low = 0
    for (let column = 0; column < 8; column++) if ((columns & (1 << column)) === 0) low |= this.#columns[column] ?? 0
    return ~low & 0xff
  }

  /** Port A's pins while `rows` is on port B's: the matrix scanned the other way round. */
  columns(rows: number): number {
    let pins = 0xff
    for (let column = 0; column < 8; column++) if (((this.#columns[column] ?? 0) & ~rows & 0xff) !== 0) pins &= ~(1 << column)
    return pins
  }
}
