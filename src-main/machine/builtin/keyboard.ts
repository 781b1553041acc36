import { matrixPosition, type C64Key } from '@shared/c64/keyboardMatrix'

/** Frames; the KERNAL, and most programs, scan the keyboard once in each. */
const SHORTEST_STATE = 2
/** A further state replaces the last one that waits. */
const MAX_WAITING = 100

export interface KeyboardState {
  readonly down: readonly C64Key[]
  readonly waiting: readonly (readonly C64Key[])[]
  /** Frames. */
  readonly age: number
}

/**
 * Each of the host's key states lasts long enough for a program to notice: a tap between two scans, or two keys in one,
 * would otherwise be lost or mixed.
 */
export class Keyboard {
  /** For each column (port A bit) the rows (port B bits) whose key is down. */
  readonly #columns = new Uint8Array(8)
  #waiting: (readonly C64Key[])[] = []
  #down: readonly C64Key[] = []
  #age = SHORTEST_STATE

  /** RESTORE is not in the matrix. */
  setKeys(keys: readonly C64Key[]): void {
    if (this.holds(keys)) return
    if (this.#waiting.length === MAX_WAITING) this.#waiting.pop()
    this.#waiting.push(keys)
    this.#next()
  }

  holds(keys: readonly C64Key[]): boolean {
    return keys.join() === (this.#waiting.at(-1) ?? this.#down).join()
  }

  /** To be called after each frame. */
  endFrame(): void {
    this.#age++
    this.#next()
  }

  get down(): readonly C64Key[] {
    return this.#down
  }

  get isSettled(): boolean {
    return this.#waiting.length === 0 && this.#age >= SHORTEST_STATE
  }

  save(): KeyboardState {
    return { down: this.#down, waiting: [...this.#waiting], age: this.#age }
  }

  restore({ down, waiting, age }: KeyboardState): void {
    this.#press(down)
    this.#waiting = [...waiting]
    this.#age = age
  }

  #next(): void {
    if (this.#age < SHORTEST_STATE) return
    const keys = this.#waiting.shift()
    if (!keys) return
    this.#press(keys)
    this.#age = 0
  }

  #press(keys: readonly C64Key[]): void {
    this.#down = keys
    this.#columns.fill(0)
    for (const key of keys) {
      const position = matrixPosition(key)
      if (position) this.#columns[position.column] = (this.#columns[position.column] ?? 0) | (1 << position.row)
    }
  }

  /**
   * A pressed key joins its column (port A) and row (port B) both ways, so three keys of a rectangle also join the
   * fourth's lines.
   */
  settle(columns: number, rows: number): { readonly columns: number; readonly rows: number } {
    for (let before = -1; before !== (columns | (rows << 8));) {
      before = columns | (rows << 8)
      for (let column = 0; column < 8; column++) {
        const joined = this.#columns[column] ?? 0
        const bit = 1 << column
        if ((columns & bit) === 0) rows &= ~joined
        else if ((~rows & joined) !== 0) columns &= ~bit
      }
    }
    return { columns, rows }
  }
}
