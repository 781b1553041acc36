import { tooMany } from './refusal'

interface Closable {
  close(): Promise<void>
}

interface TableOptions {
  readonly what: string
  readonly max: number
  readonly maxRunning: number
  readonly idleMs: number
}

interface Entry<Client> {
  readonly client: Client
  running: number
  idleSince: number
}

export class ClientTable<Client extends Closable> {
  readonly #options: TableOptions
  readonly #entries = new Map<string, Entry<Client>>()
  readonly #sweep: NodeJS.Timeout

  constructor(options: TableOptions) {
    this.#options = options
    this.#sweep = setInterval(() => this.#closeIdle(), options.idleMs / 10)
    this.#sweep.unref()
  }

  get(key: string): Client | undefined {
    const entry = this.#entries.get(key)
    if (entry) entry.idleSince = Date.now()
    return entry?.client
  }

  get size(): number {
    return this.#entries.size
  }

  /**
   * Many clients leave without a word: where all places are taken, the one idle for longest is closed.
   * @throws Refusal where none is idle
   */
  requirePlace(): void {
    const { max, what } = this.#options
    if (this.#entries.size < max) return
    const idle = [...this.#entries].filter(([, { running }]) => running === 0)
    const [oldest] = idle.sort(([, a], [, b]) => a.idleSince - b.idleSince)
    if (!oldest) throw tooMany(`${max} ${what} are at work already.`)
    this.#close(oldest[0])
  }

  /** @throws Refusal */
  add(key: string, client: Client): void {
    this.requirePlace()
    this.#entries.set(key, { client, running: 0, idleSince: Date.now() })
  }

  /**
   * @returns a function that ends what was begun
   * @throws Refusal where the client has as much running as it may
   */
  begin(key: string): () => void {
    const entry = this.#entries.get(key)
    if (!entry) return () => undefined
    if (entry.running >= this.#options.maxRunning)
      throw tooMany(`One client has at most ${this.#options.maxRunning} requests at once.`)
    entry.running++
    let ended = false
    return () => {
      if (ended) return
      ended = true
      entry.running--
      entry.idleSince = Date.now()
    }
  }

  remove(key: string): void {
    this.#entries.delete(key)
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#sweep)
    const clients = [...this.#entries.values()].map(({ client }) => client)
    this.#entries.clear()
    await Promise.allSettled(clients.map((client) => client.close()))
  }

  #closeIdle(): void {
    const longAgo = Date.now() - this.#options.idleMs
    for (const [key, { running, idleSince }] of this.#entries)
      if (running === 0 && idleSince <= longAgo) this.#close(key)
  }

  #close(key: string): void {
    const entry = this.#entries.get(key)
    this.#entries.delete(key)
    entry?.client.close().catch(() => undefined)
  }
}
