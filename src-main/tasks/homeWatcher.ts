import { watch, type FSWatcher } from 'node:fs'
import { parentOf } from './folders'
import { REGISTRY } from './registryFile'

export interface HomeWatcherOptions {
  readonly home: string
  /** Never called twice at the same time. */
  readonly refresh: () => Promise<void>
  readonly onClock: () => void
  readonly log: (message: string, error?: unknown) => void
}

/** Changes within this time are read together. Reading takes a tenth of the time at most. */
const REFRESH_DELAY_MS = 30
const REFRESH_SHARE = 0.1

const POLL_MS = 5_000

export class HomeWatcher {
  readonly #options: HomeWatcherOptions
  #watchers: FSWatcher[] = []
  #clock: NodeJS.Timeout | undefined
  #timer: NodeJS.Timeout | undefined
  #delayMs = REFRESH_DELAY_MS
  #isMissed = false
  #isClosed = false

  constructor(options: HomeWatcherOptions) {
    this.#options = options
  }

  /**
   * May be called again. Only the folders themselves are watched, not those below: a home may hold ten thousand tasks.
   */
  start(): void {
    if (this.#clock) return
    const { home, log, onClock } = this.#options
    for (const folder of [home, parentOf(home, 'foreground'), parentOf(home, 'background')]) {
      const fail = (error: unknown) => log(`${folder} cannot be watched; it is read every ${POLL_MS / 1000} s.`, error)
      try {
        const watcher = watch(folder, (_event, name) => {
          if (isOfInterest(folder === home, name)) this.scheduleRefresh()
        })
        watcher.on('error', fail)
        this.#watchers.push(watcher)
      } catch (error) {
        fail(error)
      }
    }
    this.#clock = setInterval(() => {
      onClock()
      this.scheduleRefresh()
    }, POLL_MS).unref()
  }

  scheduleRefresh(): void {
    this.#isMissed = this.#timer !== undefined
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => void this.#refresh(), this.#delayMs)
  }

  close(): void {
    this.#isClosed = true
    for (const watcher of this.#watchers) watcher.close()
    clearInterval(this.#clock)
    clearTimeout(this.#timer)
  }

  async #refresh(): Promise<void> {
    const start = performance.now()
    try {
      await this.#options.refresh()
    } catch (error) {
      this.#options.log('The tasks could not be read again', error)
    }
    this.#timer = undefined
    this.#delayMs = Math.max(REFRESH_DELAY_MS, (performance.now() - start) / REFRESH_SHARE)
    if (this.#isMissed) this.scheduleRefresh()
  }
}

const isOfInterest = (isHome: boolean, name: string | null): boolean =>
  name === null || (isHome ? name === REGISTRY : !name.startsWith('.') && name !== 'background')
