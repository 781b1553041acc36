import { relative, sep } from 'node:path'
import { watch, type ChokidarOptions, type FSWatcher } from 'chokidar'
import { NotifyTimer } from '../../rpc/notifyTimer'
import { skipped } from '../read/scanProject'

export type WatchFolder = (root: string, options: ChokidarOptions) => Pick<FSWatcher, 'on' | 'once' | 'close'>

interface FolderWatchOptions {
  /** Paths relative to the folder, with `/`; coalesced. */
  readonly onPaths: (paths: ReadonlySet<string>) => void
  readonly onLost: (why: string) => void
  readonly watchFolder?: WatchFolder
}

const NOTIFY_DELAY_MS = 30

const WATCHER_READY_LIMIT_MS = 10_000

/** The system watcher may miss changes: see MissedChanges. */
export class FolderWatch {
  readonly #options: FolderWatchOptions
  #watcher: ReturnType<WatchFolder> | undefined
  #paths = new Set<string>()
  readonly #notifyTimer = new NotifyTimer(NOTIFY_DELAY_MS, () => this.#notify())
  #problem: string | undefined
  /** Ends the wait for a watcher that is closed before it is ready. */
  #giveUp: (() => void) | undefined

  constructor(options: FolderWatchOptions) {
    this.#options = options
  }

  get mode(): 'system' | 'polling' {
    return this.#problem === undefined ? 'system' : 'polling'
  }

  get problems(): readonly string[] {
    return this.#problem === undefined ? [] : [this.#problem]
  }

  async start(root: string): Promise<void> {
    await this.close()
    this.#problem = undefined
    const { onLost, watchFolder = watch } = this.#options
    const watcher = watchFolder(root, {
      ignoreInitial: true,
      followSymlinks: false,
      atomic: false,
      ignored: (path) => path !== root && skipped.has(path.slice(path.lastIndexOf(sep) + 1)),
    })
    this.#watcher = watcher
    watcher.on('all', (_event: string, path: string) => this.#note(relative(root, path).split(sep).join('/')))
    watcher.on('error', (error: unknown) => {
      if (this.#watcher === watcher) onLost(whyLost(error))
    })
    await new Promise<void>((done) => {
      const end = () => {
        clearTimeout(timer)
        done()
      }
      const timer = setTimeout(end, WATCHER_READY_LIMIT_MS)
      this.#giveUp = end
      watcher.once('ready', end)
    })
  }

  async poll(problem: string): Promise<void> {
    this.#problem = problem
    await this.close()
  }

  async close(): Promise<void> {
    this.#notifyTimer.cancel()
    const watcher = this.#watcher
    this.#watcher = undefined
    this.#giveUp?.()
    await watcher?.close()
  }

  #note(path: string): void {
    this.#paths.add(path)
    this.#notifyTimer.schedule()
  }

  #notify(): void {
    const paths = this.#paths
    this.#paths = new Set()
    this.#options.onPaths(paths)
  }
}

function whyLost(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOSPC' || code === 'EMFILE') return 'The system’s limit of watched folders is reached'
  if (code === 'EACCES' || code === 'EPERM') return 'A folder in it cannot be watched: no permission'
  return `The system no longer watches the folder (${code || String(error)})`
}
