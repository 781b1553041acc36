export type Unsubscribe = () => void

export class Listeners<Argument = void> {
  readonly #listeners = new Set<(argument: Argument) => void>()

  readonly add = (listener: (argument: Argument) => void): Unsubscribe => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  clear(): void {
    this.#listeners.clear()
  }

  notify(argument: Argument): void {
    for (const listener of this.#listeners) listener(argument)
  }
}
