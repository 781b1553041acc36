/** The 8x8 key matrix between the two ports of CIA 1. */
import { matrixPosition, type C64Key } from '@shared/c64/keyboardMatrix'

/** A key stays down for this many frames at least: a program looks at the keyboard once a frame or less often. */
const SHORTEST_PRESS = 3

export class Keyboard {
  /** For each column (port A bit) the rows (port B bits) whose key is down. */
  readonly #columns = new Uint8Array(8)
  #held: ReadonlySet<C64Key> = new Set()
  /** Keys that were pressed just now, with the frames that they stay down yet. */
  readonly #fresh = new Map<C64Key, number>()

  /** The whole set of keys held down. RESTORE is not in the matrix. */
  setKeys(keys: readonly C64Key[]): void {
    for (const key of keys) if (!this.#held.has(key)) this.#fresh.set(key, SHORTEST_PRESS)
    this.#held = new Set(keys)
    this.#connect()
  }

  /** After each frame. */
  endFrame(): void {
    if (this.#fresh.size === 0) return
    for (const [key, frames] of this.#fresh) {
      if (frames > 1) this.#fresh.set(key, frames - 1)
      else this.#fresh.delete(key)
    }
    this.#connect()
  }

  #connect(): void {
    this.#columns.fill(0)
    for (const key of [...this.#held, ...this.#fresh.keys()]) {
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
