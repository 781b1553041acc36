/** The 8x8 key matrix between the two ports of CIA 1. */
import { matrixPosition, type C64Key } from '@shared/c64/keyboardMatrix'

/** Frames that each state of the keyboard lasts at least; the KERNAL, and most programs, scan it once in each. */
const SHORTEST_STATE = 2
/** States that wait for their turn at most; what comes on top replaces the last. */
const MAX_WAITING = 100

/** What is held down, and what waits for its turn. */
export interface KeyboardState {
  readonly down: readonly C64Key[]
  readonly waiting: readonly (readonly C64Key[])[]
  /** How long `down` has lasted, frames. */
  readonly age: number
}

/**
 * Takes on the states of the host's keyboard in their order, none shorter than a program can notice: a tap between two
 * scans, or two keys in one, would otherwise be lost or mixed.
 */
export class Keyboard {
  /** For each column (port A bit) the rows (port B bits) whose key is down. */
  readonly #columns = new Uint8Array(8)
  #waiting: (readonly C64Key[])[] = []
  #down: readonly C64Key[] = []
  /** How long the present state has lasted, frames. */
  #age = SHORTEST_STATE

  /** The whole set of keys held down. RESTORE is not in the matrix. */
  setKeys(keys: readonly C64Key[]): void {
    if (this.holds(keys)) return
    if (this.#waiting.length === MAX_WAITING) this.#waiting.pop()
    this.#waiting.push(keys)
    this.#next()
  }

  /** Whether these are the keys that the host holds down already. */
  holds(keys: readonly C64Key[]): boolean {
    return keys.join() === (this.#waiting.at(-1) ?? this.#down).join()
  }

  /** After each frame. */
  endFrame(): void {
    this.#age++
    this.#next()
  }

  /** The keys that are down now. */
  get down(): readonly C64Key[] {
    return this.#down
  }

  /** Whether a program has had the time to notice all that was pressed and let go. */
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
   * The lines of both ports, given what pulls them low from outside the matrix. A key that is down joins its column (port
   * A) and its row (port B) both ways, so that three keys of a rectangle also join what the fourth would.
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
