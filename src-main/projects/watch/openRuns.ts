import { runKey } from '../read/readRun'
import type { Format } from '../../formats/format'
import type { Listing } from '../../formats/listing'
import type { FileVersion } from '../read/projectDisk'
import type { FileVersions } from './fileVersions'
import type { FoundRun, OpenRun } from './openRun'
import type { ProjectFolder } from './projectFolder'
import type { ProjectNames } from './projectNames'
import { attemptReading, failedAttempt, isOver, whyWorse, type ReadAttempt } from './readAttempt'
import type { Sightings } from './sightings'

const HALF_WRITTEN_MS = 500
export const RETRY_MS = 50

export interface OpenRunsOptions {
  readonly remembered: (run: string) => ReadonlyMap<string, string>
  /** Null when nobody can tell. */
  readonly writerOf: (file: string, hash: string) => string | null
  /** False when reading this version of the run is known never to end. */
  readonly mayRead: (run: string, version: string) => boolean
  readonly onRefused: (run: string, file: string) => void
  readonly firstRevision: number
  readonly log: (message: string, error?: unknown) => void
}

export class OpenRuns {
  readonly #options: OpenRunsOptions
  readonly #folder: ProjectFolder
  readonly #names: ProjectNames
  readonly #versions: FileVersions
  readonly #runs = new Map<string, OpenRun>()
  readonly #unread = new Map<string, FoundRun>()
  /** ms of performance.now(). */
  readonly #unreadable = new Map<string, number>()
  readonly #over = new Set<string>()
  #retryAt = 0

  constructor(options: OpenRunsOptions, folder: ProjectFolder, names: ProjectNames, versions: FileVersions) {
    this.#options = options
    this.#folder = folder
    this.#names = names
    this.#versions = versions
  }

  get size(): number {
    return this.#runs.size
  }

  get keys(): string[] {
    return [...this.#runs.keys()].sort()
  }

  get(key: string): OpenRun | undefined {
    return this.#runs.get(key)
  }

  get found(): Map<string, FoundRun> {
    return new Map<string, FoundRun>([...this.#runs, ...this.#unread])
  }

  wants(key: string, paths: ReadonlySet<string>): boolean {
    const { wanted } = this.#runs.get(key) ?? {}
    return wanted !== undefined && [...paths].some((path) => wanted.has(path))
  }

  get hasUnreadable(): boolean {
    return this.#unreadable.size > 0
  }

  get isRetryDue(): boolean {
    return this.hasUnreadable && performance.now() >= this.#retryAt
  }

  takeRetries(): Set<string> {
    this.#retryAt = performance.now() + RETRY_MS
    return new Set(this.#unreadable.keys())
  }

  async read(key: string, found: FoundRun, observed: Sightings): Promise<boolean> {
    const attempt = await this.#attempt(key, found)
    const hasChanged = this.#take(key, found, attempt, observed)
    if (this.#runs.has(key)) this.#unread.delete(key)
    else this.#unread.set(key, found)
    return hasChanged
  }

  /**
   * Forgets runs that have not been found for long enough.
   * @returns their keys
   */
  removeOthers(found: ReadonlyMap<string, FoundRun>, observed: Sightings): string[] {
    for (const key of this.#unread.keys()) if (!found.has(key)) this.#unread.delete(key)
    const removed: string[] = []
    for (const [key, run] of this.#runs) {
      if ((found.has(key) && !this.#over.has(key)) || !this.#isRetryOver(key)) continue
      this.#runs.delete(key)
      this.#over.delete(key)
      this.#unreadable.delete(key)
      removed.push(key)
      for (const path of run.files.keys()) if (!this.#names.hasFile(path)) observed.addRemoved(key, path)
    }
    this.#versions.keep(new Set([...this.#runs.values()].flatMap(({ wanted }) => [...wanted])))
    return removed
  }

  async #attempt(key: string, found: FoundRun): Promise<ReadAttempt> {
    const { remembered, mayRead, onRefused, log } = this.#options
    const { files, marker } = found.candidate
    try {
      return await attemptReading(found, {
        listing: this.#names.listing,
        remembered: remembered(key),
        readVersion: (path) => this.#versions.read(this.#folder.root, path),
        mayRead: (version) => {
          const may = mayRead(key, version)
          if (!may) onRefused(key, files[0] ?? marker)
          return may
        },
      })
    } catch (error) {
      log(`${key} could not be read`, error)
      return failedAttempt(found)
    }
  }

  #take(key: string, found: FoundRun, attempt: ReadAttempt, observed: Sightings): boolean {
    const before = this.#runs.get(key)
    if (before && isOver(before, attempt)) {
      // A file that is being replaced may be away for a moment.
      if (this.#isRetryOver(key)) this.#over.add(key)
      return false
    }
    const worse = before && whyWorse(before, attempt)
    if (before && worse) return this.#isRetryOver(key) && this.#keepStale(before, attempt, worse, observed)
    const isAway = before?.candidate.files.some((path) => before.files.has(path) && !attempt.files.has(path)) ?? false
    if (isAway && !this.#isRetryOver(key)) return false
    this.#unreadable.delete(key)
    const { format, candidate } = found
    const { reading, files } = attempt
    if (!reading) return false
    for (const [path, now] of files) observed.add(key, path, before?.files.get(path), now)
    for (const path of before?.files.keys() ?? []) if (!files.has(path)) observed.addRemoved(key, path)
    const newest = newestOf(files)
    const next = {
      key,
      format,
      candidate,
      ...attempt,
      reading,
      view: reading.view,
      stale: null,
      writtenAt: newest?.file.modifiedAt ?? null,
      writtenBy: newest ? this.#options.writerOf(newest.file.path, newest.hash) : null,
    }
    // The time first: it alone distinguishes nearly all versions of large files.
    const isSame =
      before?.writtenAt === next.writtenAt &&
      before.writtenBy === next.writtenBy &&
      JSON.stringify(shownOf(before)) === JSON.stringify(shownOf(next))
    this.#runs.set(key, { ...next, revision: (before?.revision ?? this.#options.firstRevision) + (isSame ? 0 : 1) })
    return !isSame
  }

  #keepStale(
    before: OpenRun,
    attempt: ReadAttempt,
    { file, message }: { readonly file: string; readonly message: string },
    observed: Sightings,
  ): boolean {
    const { key, stale } = before
    const isKnown = stale?.file === file && stale.message === message
    // A broken file is not compared value by value: half of its values would seem to be gone.
    for (const [path, now] of attempt.files) observed.add(key, path, undefined, now)
    this.#unreadable.delete(key)
    this.#runs.set(key, {
      ...before,
      wanted: new Set([...before.wanted, ...attempt.wanted]),
      findings: attempt.findings,
      stale: isKnown ? stale : { since: Date.now(), file, message },
      revision: before.revision + (isKnown ? 0 : 1),
    })
    return !isKnown
  }

  #isRetryOver(key: string): boolean {
    const since = this.#unreadable.get(key)
    if (since !== undefined) return performance.now() - since >= HALF_WRITTEN_MS
    // A run that is known to be unreadable is not waited for again.
    const { stale, candidate } = this.#runs.get(key) ?? {}
    const { listing } = this.#names
    if (stale && candidate && (listing.hasFile(candidate.marker) || listing.hasFolder(candidate.marker))) return true
    this.#unreadable.set(key, performance.now())
    return false
  }
}

function newestOf(files: ReadonlyMap<string, FileVersion>): FileVersion | undefined {
  const time = ({ file }: FileVersion): number => file.modifiedAt ?? -Infinity
  return [...files.values()].reduce<FileVersion | undefined>(
    (newest, version) => (newest && time(newest) >= time(version) ? newest : version),
    undefined,
  )
}

export function findRuns(formats: readonly Format[], listing: Listing): Map<string, FoundRun> {
  const found = new Map<string, FoundRun>()
  for (const format of formats)
    for (const candidate of format.detect(listing)) found.set(runKey(format, candidate), { format, candidate })
  return found
}

const shownOf = ({ reading, findings, stale }: Pick<OpenRun, 'reading' | 'findings' | 'stale'>) => [
  reading.view,
  reading.details,
  findings,
  stale,
]
