import type { RememberedRuns } from '../read/rememberedRuns'

const POLL_MS = 1_000

interface RememberedWatchOptions {
  readonly load: () => RememberedRuns
  readonly keys: () => readonly string[]
  readonly onChanged: (run: string) => void
}

export class RememberedWatch {
  readonly #options: RememberedWatchOptions
  readonly #timer: NodeJS.Timeout
  #loaded: RememberedRuns

  constructor(options: RememberedWatchOptions) {
    this.#options = options
    this.#loaded = options.load()
    this.#timer = setInterval(() => this.#poll(), POLL_MS)
  }

  readonly of: RememberedRuns = (run) => this.#loaded(run)

  close(): void {
    clearInterval(this.#timer)
  }

  #poll(): void {
    const { load, keys, onChanged } = this.#options
    const before = this.#loaded
    this.#loaded = load()
    for (const key of keys()) if (!isSame(before(key), this.#loaded(key))) onChanged(key)
  }
}

const isSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([name, value]) => b.get(name) === value)
