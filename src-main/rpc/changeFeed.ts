import { NotifyTimer } from './notifyTimer'

export interface Changes<Item> {
  /** The revision before these changes. A reader with another revision missed some and reads the list again. */
  readonly from: number
  readonly revision: number
  readonly items: readonly Item[]
}

export interface ChangeFeedOptions<Item> {
  readonly delayMs: number
  /** Per event. The rest follows after the same delay, so that the bridge can do other work. */
  readonly maxItems: number
  readonly send: (changes: Changes<Item>) => void
}

/** Sends each changed item once, in events of bounded size. Lists are read page by page with {@link pageAfter}. */
export class ChangeFeed<Item> {
  readonly #options: ChangeFeedOptions<Item>
  readonly #timer: NotifyTimer
  readonly #changed = new Map<string, Item>()
  #revision = 0

  constructor(options: ChangeFeedOptions<Item>) {
    this.#options = options
    this.#timer = new NotifyTimer(options.delayMs, () => {
      this.#sendSome()
      if (this.#changed.size > 0) this.#timer.schedule()
    })
  }

  /** Of the last changes that were sent: what is read now is at least as new. */
  get revision(): number {
    return this.#revision
  }

  note(key: string, item: Item): void {
    this.#changed.set(key, item)
    this.#timer.schedule()
  }

  flush(): void {
    this.#timer.cancel()
    while (this.#changed.size > 0) this.#sendSome()
  }

  close(): void {
    this.#timer.cancel()
  }

  #sendSome(): void {
    const some = [...this.#changed].slice(0, this.#options.maxItems)
    for (const [key] of some) this.#changed.delete(key)
    this.#options.send({ from: this.#revision, revision: ++this.#revision, items: some.map(([, item]) => item) })
  }
}

/** Null is the key of the first page, and the next key at the end. */
export function pageAfter<Key>(
  keys: readonly Key[],
  after: Key | null,
  maxKeys: number,
  compare: (one: Key, other: Key) => number,
): { readonly page: readonly Key[]; readonly next: Key | null } {
  const from = after === null ? 0 : keys.findIndex((key) => compare(key, after) > 0)
  const page = from < 0 ? [] : keys.slice(from, from + maxKeys)
  return { page, next: from + page.length < keys.length ? (page.at(-1) ?? null) : null }
}
