export class RateLimit {
  readonly #maxPerSecond: number
  readonly #windows = new Map<string, { since: number; count: number }>()

  constructor(maxPerSecond: number) {
    this.#maxPerSecond = maxPerSecond
  }

  allows(name: string): boolean {
    const now = performance.now()
    const window = this.#windows.get(name)
    if (!window || now - window.since >= 1_000) {
      this.#windows.set(name, { since: now, count: 1 })
      return true
    }
    window.count++
    return window.count <= this.#maxPerSecond
  }
}
