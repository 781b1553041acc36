/** Runs git in trusted folders only. */
import { toFailure } from '@shared/contract/errors'
import { findCommits, findRepository } from '../../git/repository'
import type { TrustedFolder } from '../../git/trustedFolder'
import type { CommitStates } from './commits'

/** Waits after a change, as an agent writes several files at a time. */
const SETTLE_MS = 200
const RECHECK_MS = 5_000
/** While nothing changes: a commit may come after the file that names it. */
const IDLE_RECHECK_MS = 30_000

export interface CommitCheckerOptions {
  /** @throws AppError FORBIDDEN when the project is restricted */
  readonly trusted: (project: number, folder: string) => TrustedFolder
  readonly onChanged: (project: number, run: string) => void
  readonly log: (message: string, error?: unknown) => void
}

interface WatchedRun {
  readonly project: number
  readonly run: string
  readonly folder: string
  readonly names: ReadonlySet<string>
}

/** A commit that is there stays there; one that is missing is looked for again. */
interface Place {
  readonly states: Map<string, 'found' | 'missing'>
  /** ms of performance.now() */
  checkedAt: number
}

const nothing: CommitStates = new Map()
const placeOf = ({ project, folder }: Pick<WatchedRun, 'project' | 'folder'>): string => `${project} ${folder}`
const keyOf = ({ project, run }: Pick<WatchedRun, 'project' | 'run'>): string => `${project} ${run}`

export class CommitChecker {
  readonly #options: CommitCheckerOptions
  readonly #watched = new Map<string, WatchedRun>()
  readonly #places = new Map<string, Place>()
  readonly #logged = new Set<string>()
  readonly #ended = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #dueAt = Infinity
  #working: Promise<void> | undefined
  #isClosed = false

  constructor(options: CommitCheckerOptions) {
    this.#options = options
  }

  watch(run: WatchedRun): void {
    this.#watched.set(keyOf(run), run)
    const place = this.#places.get(placeOf(run))
    const open = [...run.names].filter((name) => place?.states.get(name) !== 'found')
    if (open.length === 0) return
    const isNew = open.some((name) => !place?.states.has(name))
    this.#schedule(isNew || !place ? SETTLE_MS : Math.max(SETTLE_MS, place.checkedAt + RECHECK_MS - performance.now()))
  }

  unwatch(project: number, run: string): void {
    this.#watched.delete(keyOf({ project, run }))
  }

  unwatchProject(project: number): void {
    for (const [key, watched] of this.#watched) if (watched.project === project) this.#watched.delete(key)
    this.#forget(project)
  }

  recheck(project: number): void {
    for (const place of this.#forget(project)) this.#notify(place)
    this.#schedule(0)
  }

  statesOf(project: number, folder: string): CommitStates {
    return this.#places.get(placeOf({ project, folder }))?.states ?? nothing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#ended.abort()
    clearTimeout(this.#timer)
    await this.#working
  }

  #forget(project: number): string[] {
    const gone = [...this.#places.keys()].filter((place) => place.startsWith(`${project} `))
    for (const place of gone) this.#places.delete(place)
    return gone
  }

  #schedule(delay: number): void {
    const dueAt = performance.now() + delay
    if (this.#isClosed || dueAt >= this.#dueAt) return
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => {
      this.#dueAt = Infinity
      this.#working = (this.#working ?? Promise.resolve()).then(() => this.#check())
    }, delay)
  }

  async #check(): Promise<void> {
    const places = new Map<string, WatchedRun[]>()
    for (const watched of this.#watched.values()) {
      const place = placeOf(watched)
      places.set(place, [...(places.get(place) ?? []), watched])
    }
    let isMissing = false
    for (const [key, watched] of places) {
      const [first] = watched
      const known = this.#places.get(key)
      const names = [...new Set(watched.flatMap((one) => [...one.names]))].filter(
        (name) => known?.states.get(name) !== 'found',
      )
      if (!first || names.length === 0) continue
      const place = await this.#checkIn(first, names).catch((error: unknown) => this.#logFailure(first, error))
      if (this.#isClosed) return
      const states = new Map([...(place ? (known?.states ?? []) : []), ...(place ?? [])])
      const hasChanged =
        states.size !== (known?.states.size ?? 0) ||
        [...states].some(([name, state]) => known?.states.get(name) !== state)
      if (place) this.#places.set(key, { states, checkedAt: performance.now() })
      else this.#places.delete(key)
      isMissing ||= [...states.values()].includes('missing')
      if (hasChanged) this.#notify(key)
    }
    if (isMissing) this.#schedule(IDLE_RECHECK_MS)
  }

  /** Undefined where unknown: no repository, or one without its full history. */
  async #checkIn(
    { project, folder }: WatchedRun,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, 'found' | 'missing'> | undefined> {
    const at = this.#options.trusted(project, folder)
    const repository = await findRepository(at, this.#ended.signal)
    if (!repository) return undefined
    const found = await findCommits(at, names, this.#ended.signal)
    const states = [...found].map(
      ([name, commit]) => [name, commit === null ? ('missing' as const) : ('found' as const)] as const,
    )
    return new Map(repository.isShallow ? states.filter(([, state]) => state === 'found') : states)
  }

  /** A restricted folder is no failure; anything else is logged, once. */
  #logFailure({ project }: WatchedRun, error: unknown): undefined {
    const { code, message } = toFailure(error)
    if (code === 'FORBIDDEN' || code === 'CANCELLED' || this.#logged.has(`${project} ${code}`)) return undefined
    this.#logged.add(`${project} ${code}`)
    this.#options.log(`Cannot check commits: ${message}`, error)
    return undefined
  }

  #notify(place: string): void {
    for (const watched of this.#watched.values())
      if (placeOf(watched) === place && watched.names.size > 0) this.#options.onChanged(watched.project, watched.run)
  }
}
