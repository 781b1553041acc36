/** Looks in the background whether the commits are there that runs name, where the person trusts the folder. */
import { toFailure } from '@shared/contract/errors'
import { findCommits, findRepository } from '../../git/git'
import type { TrustedFolder } from '../../git/trustedFolder'
import type { CommitStates } from './commits'

/** After a change, ms: an agent writes several files at a time. */
const QUIET = 200
/** Between two looks for what was missing, while the run changes, ms. */
const PAUSE = 5_000
/** And while nothing changes: a commit may come after the file that names it. */
const AGAIN = 30_000

export interface CommitLooksOptions {
  /** @throws AppError FORBIDDEN when the project is restricted */
  readonly trusted: (project: number, folder: string) => TrustedFolder
  /** What is known of a run's commits changed. */
  readonly onChanged: (project: number, run: string) => void
  readonly log: (message: string, error?: unknown) => void
}

interface Wanted {
  readonly project: number
  readonly run: string
  /** Of the run, relative to the project. */
  readonly folder: string
  readonly names: ReadonlySet<string>
}

/** What is known in one folder. A commit that is there stays there; one that is missing is looked for again. */
interface Place {
  readonly states: Map<string, 'found' | 'missing'>
  /** ms of performance.now() */
  lookedAt: number
}

const nothing: CommitStates = new Map()
const placeOf = ({ project, folder }: Pick<Wanted, 'project' | 'folder'>): string => `${project} ${folder}`
const keyOf = ({ project, run }: Pick<Wanted, 'project' | 'run'>): string => `${project} ${run}`

export class CommitLooks {
  readonly #options: CommitLooksOptions
  readonly #wanted = new Map<string, Wanted>()
  readonly #places = new Map<string, Place>()
  readonly #said = new Set<string>()
  readonly #ended = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #dueAt = Infinity
  #working: Promise<void> | undefined
  #isClosed = false

  constructor(options: CommitLooksOptions) {
    this.#options = options
  }

  want(wanted: Wanted): void {
    this.#wanted.set(keyOf(wanted), wanted)
    const place = this.#places.get(placeOf(wanted))
    const open = [...wanted.names].filter((name) => place?.states.get(name) !== 'found')
    if (open.length === 0) return
    const isNew = open.some((name) => !place?.states.has(name))
    this.#lookIn(isNew || !place ? QUIET : Math.max(QUIET, place.lookedAt + PAUSE - performance.now()))
  }

  drop(project: number, run: string): void {
    this.#wanted.delete(keyOf({ project, run }))
  }

  dropProject(project: number): void {
    for (const [key, wanted] of this.#wanted) if (wanted.project === project) this.#wanted.delete(key)
    this.#forget(project)
  }

  /** Whether the project is trusted changed, or which folder it is. */
  again(project: number): void {
    for (const place of this.#forget(project)) this.#tell(place)
    this.#lookIn(0)
  }

  of(project: number, folder: string): CommitStates {
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

  #lookIn(delay: number): void {
    const dueAt = performance.now() + delay
    if (this.#isClosed || dueAt >= this.#dueAt) return
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => {
      this.#dueAt = Infinity
      this.#working = (this.#working ?? Promise.resolve()).then(() => this.#look())
    }, delay)
  }

  async #look(): Promise<void> {
    const places = new Map<string, Wanted[]>()
    for (const wanted of this.#wanted.values()) {
      const place = placeOf(wanted)
      places.set(place, [...(places.get(place) ?? []), wanted])
    }
    let isMissing = false
    for (const [key, wanted] of places) {
      const [first] = wanted
      const known = this.#places.get(key)
      const names = [...new Set(wanted.flatMap((one) => [...one.names]))].filter(
        (name) => known?.states.get(name) !== 'found',
      )
      if (!first || names.length === 0) continue
      const place = await this.#lookFor(first, names).catch((error: unknown) => this.#refused(first, error))
      if (this.#isClosed) return
      const states = new Map([...(place ? (known?.states ?? []) : []), ...(place ?? [])])
      const hasChanged =
        states.size !== (known?.states.size ?? 0) ||
        [...states].some(([name, state]) => known?.states.get(name) !== state)
      if (place) this.#places.set(key, { states, lookedAt: performance.now() })
      else this.#places.delete(key)
      isMissing ||= [...states.values()].includes('missing')
      if (hasChanged) this.#tell(key)
    }
    if (isMissing) this.#lookIn(AGAIN)
  }

  /** Undefined where nobody can tell: no repository, or one that has not all of its history. */
  async #lookFor(
    { project, folder }: Wanted,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, 'found' | 'missing'> | undefined> {
    const at = this.#options.trusted(project, folder)
    const repository = await findRepository(at, this.#ended.signal)
    if (!repository) return undefined
    const found = await findCommits(at, names, this.#ended.signal)
    const told = [...found].map(
      ([name, commit]) => [name, commit === null ? ('missing' as const) : ('found' as const)] as const,
    )
    return new Map(repository.isShallow ? told.filter(([, state]) => state === 'found') : told)
  }

  /** That the folder is restricted is as it should be; anything else is logged, once. */
  #refused({ project }: Wanted, error: unknown): undefined {
    const { code, message } = toFailure(error)
    if (code === 'FORBIDDEN' || code === 'CANCELLED' || this.#said.has(`${project} ${code}`)) return undefined
    this.#said.add(`${project} ${code}`)
    this.#options.log(`Commits cannot be looked up: ${message}`, error)
    return undefined
  }

  #tell(place: string): void {
    for (const wanted of this.#wanted.values())
      if (placeOf(wanted) === place && wanted.names.size > 0) this.#options.onChanged(wanted.project, wanted.run)
  }
}
