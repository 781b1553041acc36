import type { JsonObject } from '@shared/json'
import { ProcessLock } from '../files/processLock'
import { printEntry, type Registry } from './registryFile'
import type { RegistryOnDisk } from './registryOnDisk'

/** A `state` must be written at once, a `count` when that is cheap. */
export type Urgency = 'state' | 'count'

export interface RegistryWriterOptions {
  readonly registry: Pick<RegistryOnDisk, 'size' | 'rewrite'>
  readonly lockFile: string
  readonly entryOf: (id: string) => JsonObject | undefined
  readonly onWritten: (ids: ReadonlySet<string>, entries: ReadonlyMap<string, JsonObject>, found: Registry) => void
  readonly onOutcome: (error: unknown) => void
}

const STATE_DELAY_MS = 50

/** A multiple of a rewrite's duration: other files synced on the same disk wait meanwhile. */
const REST_PER_WRITE = 2

const COUNT_BYTES_PER_SECOND = 1_000_000
const COUNT_DELAY_MS = 1_000

const RETRY_DELAY_MS = 1_000

/** Works in the background, and merges with what other processes wrote into tasks.json. */
export class RegistryWriter {
  readonly #options: RegistryWriterOptions
  readonly #lock: ProcessLock
  readonly #pending = new Map<string, Urgency>()
  #timer: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined
  #restsUntil = 0
  #flushing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: RegistryWriterOptions) {
    this.#options = options
    this.#lock = new ProcessLock(options.lockFile)
  }

  schedule(id: string, urgency: Urgency): void {
    if (this.#pending.get(id) !== 'state') this.#pending.set(id, urgency)
    const countDelay = (this.#options.registry.size / COUNT_BYTES_PER_SECOND) * 1000
    this.#flushIn(urgency === 'state' ? STATE_DELAY_MS : Math.max(COUNT_DELAY_MS, countDelay))
  }

  forget(id: string): void {
    this.#pending.delete(id)
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer?.timer)
    this.#timer = undefined
    return (this.#flushing = this.#flushing.then(() => this.#writePending()))
  }

  async #writePending(): Promise<void> {
    const ids = new Set(this.#pending.keys())
    if (ids.size === 0) return
    this.#pending.clear()
    try {
      await this.write(ids)
      this.#options.onOutcome(undefined)
    } catch (error) {
      this.#options.onOutcome(error)
      for (const id of ids) this.#pending.set(id, 'state')
      if (!this.#isClosed) this.#flushIn(RETRY_DELAY_MS)
    }
  }

  /**
   * @param isDropped whether the current entry of one of `drop` is still to go, as other programs write without our
   * lock
   * @throws AppError when it does not parse or cannot be written
   */
  write(
    put: ReadonlySet<string>,
    drop: ReadonlySet<string> = new Set(),
    isDropped: (id: string, entry: JsonObject) => boolean = () => true,
  ): Promise<void> {
    const { registry, entryOf, onWritten } = this.#options
    return this.#lock.hold(async () => {
      const start = performance.now()
      const { found, entries } = await registry.rewrite((current) => {
        const next = new Map(current.entries)
        for (const id of put) {
          const entry = entryOf(id)
          if (entry) next.set(id, mergeEntry(current.entries.get(id), entry))
        }
        for (const id of drop) {
          const entry = next.get(id)
          if (entry && isDropped(id, entry)) next.delete(id)
        }
        return next
      })
      const end = performance.now()
      this.#restsUntil = end + REST_PER_WRITE * (end - start)
      onWritten(put, entries, found)
    })
  }

  withLock<T>(work: () => Promise<T>): Promise<T> {
    return this.#lock.hold(work)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
    clearTimeout(this.#timer?.timer)
    await this.#lock.close()
  }

  #flushIn(delayMs: number): void {
    const at = Math.max(performance.now() + delayMs, this.#restsUntil)
    if (this.#timer && this.#timer.at <= at) return
    clearTimeout(this.#timer?.timer)
    this.#timer = { timer: setTimeout(() => void this.flush(), at - performance.now()), at }
  }
}

/** Puts ours over what stands there; fields of other programs stay, and what does not differ stays the same object. */
function mergeEntry(current: JsonObject | undefined, ours: JsonObject): JsonObject {
  if (!current) return ours
  const merged = { ...current, ...ours }
  return printEntry(current) === printEntry(merged) ? current : merged
}
