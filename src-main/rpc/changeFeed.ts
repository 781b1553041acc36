import { NotifyTimer } from './notifyTimer'

/** What changed in a list, or a part of it. */
export interface Changes<Item> {
  /** The revision that these changes lead from; who knows another one has missed some, and reads the list again. */
  readonly from: number
  readonly revision: number
  readonly items: readonly Item[]
}

export interface ChangeFeedOptions<Item> {
  /** What changes within this time is sent together. */
  readonly delayMs: number
  readonly maxItems: number
  readonly send: (changes: Changes<Item>) => void
}

/** Sends what changes in a list, each item once, in parts of bounded size. Lists are read page by page with {@link pageAfter}. */
export class ChangeFeed<Item> {
  readonly #options: ChangeFeedOptions<Item>
  readonly #timer: NotifyTimer
  readonly #changed = new Map<string, Item>()
  #revision = 0

  constructor(options: ChangeFeedOptions<Item>) {
    this.#options = options
    this.#timer = new NotifyTimer(options.delayMs, () => this.#send())
  }

  /** Of the last changes that were sent: what is read now is at least as new. */
  get revision(): number {
    return this.#revision
  }

  /** Of several items with one key the last one is sent. */
  note(key: string, item: Item): void {
    this.#changed.set(key, item)
    this.#timer.schedule()
  }

  /** Sends what was noted; nothing is sent afterwards unless it is noted. */
  flush(): void {
    this.#timer.notifyNow()
  }

  /** What was noted and not sent is dropped. */
  close(): void {
    this.#timer.cancel()
  }

  #send(): void {
    const items = [...this.#changed.values()]
    this.#changed.clear()
    const { maxItems, send } = this.#options
    for (let at = 0; at < items.length; at += maxItems)
      send({ from: this.#revision, revision: ++this.#revision, items: items.slice(at, at + maxItems) })
  }
}

/** The page of a sorted list that follows a key, null for the first, and the key that the next page follows, null at the end. */
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
