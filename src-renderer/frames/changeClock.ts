/** A step of a machine that stands still lets the changes before it fade by this much. */
const STEP_MS = 400

/** Later changes are newer, also those within a standstill. */
const TICK_MS = 0.001

/** A clock for changes, in ms, that stands still with the machine. */
export class ChangeClock {
  readonly #clock: () => number
  /** For how long it stood so far. */
  #behind = 0
  /** What it shows while it stands. */
  #stoodAt: number | undefined

  constructor(clock: () => number) {
    this.#clock = clock
  }

  get now(): number {
    return this.#stoodAt ?? this.#clock() - this.#behind
  }

  get stands(): boolean {
    return this.#stoodAt !== undefined
  }

  standStill(stands: boolean): void {
    if (stands) {
      this.#stoodAt = this.now
    } else {
      this.#behind = this.#clock() - this.now
      this.#stoodAt = undefined
    }
  }

  /** Something new is shown. @param isStep whether the machine went on for it */
  tick(isStep: boolean): void {
    if (this.#stoodAt !== undefined) this.#stoodAt += isStep ? STEP_MS : TICK_MS
  }
}
