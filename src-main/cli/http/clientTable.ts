import { tooMany } from './refusal'

interface Closable {
  close(): Promise<void>
}

interface TableOptions {
  /** In the plural. */
  readonly what: string
  readonly max: number
  /** What one may have running. */
  readonly maxRunning: number
  readonly idleMs: number
}

interface Entry<Client> {
  readonly client: Client
  running: number
  idleSince: number
}

/** Those who use the server: so many at most, each with so much at once, and closed once they do nothing for a while. */
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
   * Many go without a word: where all places are taken, the one that does nothing for the longest time gives way.
   * @throws Refusal where all do something
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
   * Something of the client runs until what is returned is called.
   * @throws Refusal where it has as much running as it may
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
    // Nobody waits for its end, and a bridge that is gone has closed it already.
    entry?.client.close().catch(() => undefined)
  }
}
