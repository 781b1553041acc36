/** How far a step of a stopped machine lets earlier changes fade. */
const STEP_MS = 400

/** Makes later changes newer, also while the machine stands still. */
const TICK_MS = 0.001

/** A clock in ms that stands still with the machine. */
export class ChangeClock {
  readonly #clock: () => number
  #behind = 0
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

  tick(isStep: boolean): void {
    if (this.#stoodAt !== undefined) this.#stoodAt += isStep ? STEP_MS : TICK_MS
  }
}
