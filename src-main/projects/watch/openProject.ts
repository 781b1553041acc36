/** One opened project: its runs as they are on disk, read again only where something changed. Nothing in it is run or written. */
import { createHash } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describeFailure, type AppError } from '@shared/contract/errors'
import { MAX_LINE_CHARACTERS, type Project } from '@shared/contract/orchestration'
import { boundFindings, fileFinding, printFinding, type Finding } from '../../formats/finding'
import type { KnownRun } from '../read/describeRun'
import { FolderWatch, type WatchFolder } from './folderWatch'
import type { Candidate, Format, Reading } from '../../formats/format'
import { readRun, runKey, runLimits, type RunOnDisk } from '../read/readRun'
import { parentOf, type Listing } from '../../formats/listing'
import { describeFolderError, identityOf, type FileVersion } from '../read/projectDisk'
import { scanProject, type Scan } from '../read/projectFiles'
import { identityText } from '../trust'
import { FileVersions } from './fileVersions'
import { isMissed, MissedNames } from './missedNames'
import { ProjectNames } from './projectNames'
import { Sightings, type Observed } from './sightings'

/** How long a file that cannot be read may take to become whole. */
const HALF_WRITTEN_MS = 500
const RETRY_MS = 50
const HEARTBEAT_MS = 2_000
/** A working watcher has reported a change by then. */
const WATCHER_DELAY_MS = 1_000
/** Runs that are read before they are reported and journalled. */
const RUNS_PER_NOTICE = 25

export interface OpenProjectOptions {
  /** As the person opened it. */
  readonly place: string
  readonly formats: readonly Format[]
  readonly onProject: () => void
  readonly onRuns: (changed: readonly string[], removed: readonly string[]) => void
  /** With the versions that were not seen before. */
  readonly onObserved: (changes: readonly Observed[], versions: readonly FileVersion[]) => void
  /** What is kept beside the files of a run. */
  readonly remembered: (run: string) => ReadonlyMap<string, string>
  /** Asked before a run is read: false when this version of it is known to take for ever. */
  readonly mayRead: (run: string, version: string) => boolean
  /** A run that may not be read. */
  readonly onRefused: (run: string, file: string) => void
  /** From which the revisions of runs count. */
  readonly firstRevision: number
  /** What the journal knows of a file from before; undefined when nothing. */
  readonly lastHash: (file: string) => string | undefined
  readonly log: (message: string, error?: unknown) => void
  /** For tests, whose watcher may be deaf. */
  readonly watchFolder?: WatchFolder
}

export interface OpenRun extends KnownRun {
  readonly format: Format
  readonly candidate: Candidate
  readonly reading: Reading
  /** Paths that were read or looked for. */
  readonly wanted: ReadonlySet<string>
  /** The files of the version that is shown. */
  readonly files: ReadonlyMap<string, FileVersion>
}

interface Attempt {
  readonly reading: Reading | undefined
  readonly findings: readonly Finding[]
  readonly wanted: ReadonlySet<string>
  readonly files: ReadonlyMap<string, FileVersion>
}

export class OpenProject {
  readonly #options: OpenProjectOptions
  readonly #watch: FolderWatch
  #root = ''
  #rootId = ''
  #identity: string | null = null
  #state: Project['state'] = 'reading'
  #problem: string | undefined
  #leftOut: readonly string[] = []
  readonly #ended = new AbortController()
  readonly #names = new ProjectNames()
  /** False where the folder is too large or too deep for all of its names to be known. */
  #isListed = false
  readonly #missed = new MissedNames()
  /** Folders that the watcher reported, or names in them, since the last heartbeat. */
  readonly #reported = new Set<string>()
  readonly #versions = new FileVersions()
  readonly #runs = new Map<string, OpenRun>()
  /** Where a run may be, and none could be read. */
  readonly #unread = new Map<string, Pick<OpenRun, 'format' | 'candidate'>>()
  /** Since when a run cannot be read, ms of performance.now(). */
  readonly #unreadable = new Map<string, number>()
  readonly #dirty = new Set<string>()
  /** Runs that are read again though their files are the same. */
  readonly #again = new Set<string>()
  #working: Promise<void> | undefined
  #starting: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #isProbing = false
  #isClosed = false

  constructor(options: OpenProjectOptions) {
    this.#options = options
    this.#watch = new FolderWatch({
      onPaths: (paths) => this.#pathsChanged(paths),
      onLost: (why) => this.#watchLost(why),
      ...(options.watchFolder ? { watchFolder: options.watchFolder } : {}),
    })
  }

  /** Resolves when all runs are read; the watcher comes after that. A folder that cannot be read is taken up once it can. */
  async open(): Promise<void> {
    await this.#takeFolder()
    if (!this.#isClosed) this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS)
  }

  get summary(): Pick<Project, 'name' | 'place' | 'state' | 'watch' | 'problems' | 'runs' | 'files'> {
    const { place } = this.#options
    // Of a folder that is gone, what else went wrong in it came of that.
    const problems = this.#problem === undefined ? [...this.#watch.problems, ...this.#leftOut] : [this.#problem]
    return {
      name: basename(place).slice(0, 300) || place.slice(0, 300),
      place: place.slice(0, 4096),
      state: this.#state,
      watch: this.#state === 'open' ? this.#watch.mode : 'none',
      problems: problems.slice(0, 20).map((text) => text.slice(0, MAX_LINE_CHARACTERS)),
      runs: this.#runs.size,
      files: this.#names.size,
    }
  }

  get keys(): string[] {
    return [...this.#runs.keys()].sort()
  }

  run(key: string): OpenRun | undefined {
    return this.#runs.get(key)
  }

  /** Reads a run again of which something else than its files changed. */
  reread(key: string): void {
    this.#again.add(key)
    void this.#work()
  }

  /** All names in the folder. */
  get listing(): Listing {
    return this.#names.listing
  }

  /** Where the files of a run are; undefined when there is no such run. */
  placeOf(key: string): RunOnDisk | undefined {
    const run = this.#runs.get(key)
    return (
      run && {
        root: this.#root,
        format: run.format,
        candidate: run.candidate,
        listing: this.#names.listing,
        remembered: this.#options.remembered(key),
      }
    )
  }

  rememberedOf(key: string): ReadonlyMap<string, string> {
    return this.#options.remembered(key)
  }

  /** What the folder really is, links resolved. */
  get root(): string {
    return this.#root
  }

  /** Of the folder that is followed, as trust knows it; null before it was found. */
  get identity(): string | null {
    return this.#identity
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#ended.abort()
    clearInterval(this.#heartbeat)
    clearTimeout(this.#retry)
    await this.#watch.close()
    await Promise.all([this.#starting, this.#working])
    await this.#watch.close()
  }

  async #takeFolder(): Promise<void> {
    const { place } = this.#options
    try {
      this.#root = await realpath(place)
      this.#rootId = await identityOf(this.#root)
      this.#identity = identityText(this.#root, await stat(this.#root, { bigint: true }))
      const scan = await scanProject(this.#root, this.#ended.signal)
      this.#state = 'open'
      this.#problem = undefined
      await this.#catchUp(scan)
    } catch (error) {
      if (!this.#isClosed) this.#goneNow(describeFolderError(error, place))
      return
    }
    this.#options.onProject()
    this.#starting = this.#beginWatch().catch((error: unknown) =>
      this.#watchLost(`The folder could not be watched (${String(error)})`),
    )
  }

  async #beginWatch(): Promise<void> {
    await this.#watch.start(this.#root)
    // What was wrong with a watcher before it is over.
    if (!this.#isClosed) this.#options.onProject()
    // What changed between the look and the watcher's start.
    if (!this.#isClosed) await this.#rescan()
  }

  /** Looks at everything again, by name and by stamp. */
  async #rescan(): Promise<void> {
    // What is wrong with the folder itself, the next heartbeat finds.
    const scan = await scanProject(this.#root, this.#ended.signal).catch(() => undefined)
    if (scan) await this.#catchUp(scan)
  }

  async #catchUp({ listing, findings }: Scan): Promise<void> {
    this.#leftOut = findings.map(
      ({ file, found, expected }) => `${file || 'The folder'}: ${found}; expected ${expected}.`,
    )
    this.#isListed = findings.every(({ rule }) => rule !== 'project/size' && rule !== 'project/depth')
    for (const path of this.#names.differences(listing)) this.#dirty.add(path)
    for (const path of await this.#versions.outdated(this.#root, this.#versions.paths)) this.#dirty.add(path)
    await this.#work()
  }

  #pathsChanged(paths: Iterable<string>): void {
    for (const path of paths) {
      this.#dirty.add(path)
      this.#reported.add(path).add(parentOf(path))
    }
    void this.#work()
  }

  /** Works off what changed, one after the other; whoever calls meanwhile waits for the same. */
  #work(): Promise<void> {
    this.#working ??= this.#drain()
      .catch((error: unknown) => this.#options.log(`The project ${this.#options.place} could not be read`, error))
      .finally(() => {
        this.#working = undefined
      })
    return this.#working
  }

  async #drain(): Promise<void> {
    while (!this.#isClosed && (this.#dirty.size > 0 || this.#again.size > 0 || this.#isDue())) {
      // The files of a vanished folder are not reported one by one.
      if ((await this.#lookAtFolder()) !== 'same') return
      const paths = [...this.#dirty]
      this.#dirty.clear()
      await this.#update(paths)
    }
    clearTimeout(this.#retry)
    if (this.#unreadable.size > 0 && !this.#isClosed) this.#retry = setTimeout(() => void this.#work(), RETRY_MS)
  }

  #dueAt = 0
  #isDue(): boolean {
    return this.#unreadable.size > 0 && performance.now() >= this.#dueAt
  }

  async #update(paths: readonly string[]): Promise<void> {
    const waiting = new Set([...this.#unreadable.keys()])
    this.#dueAt = performance.now() + RETRY_MS
    const looked = new Set(paths)
    const again = new Set(this.#again)
    this.#again.clear()
    for (const key of waiting) for (const path of this.#runs.get(key)?.wanted ?? []) looked.add(path)
    const namesChanged = await this.#names.update(this.#root, paths)
    const contentChanged = new Set<string>()
    for (const path of looked) if (await this.#readAgain(path)) contentChanged.add(path)
    if (namesChanged) this.#names.refreshListing()

    const candidates = new Map<string, { format: Format; candidate: Candidate }>()
    if (namesChanged || waiting.size > 0 || this.#runs.size === 0) {
      for (const format of this.#options.formats) {
        for (const candidate of format.detect(this.#names.listing))
          candidates.set(runKey(format, candidate), { format, candidate })
      }
    } else
      for (const [key, { format, candidate }] of [...this.#runs, ...this.#unread])
        candidates.set(key, { format, candidate })

    let changed: string[] = []
    const removed: string[] = []
    let observed = new Sightings(this.#options.lastHash)
    const notify = () => {
      if (this.#isClosed) return
      if (observed.changes.length > 0 || observed.versions.length > 0)
        this.#options.onObserved(observed.changes, observed.versions)
      if (changed.length > 0 || removed.length > 0) this.#options.onRuns(changed, removed)
      changed = []
      observed = new Sightings(this.#options.lastHash)
    }
    // Runs whose files were written come before those that only have a new name beside them.
    const isWritten = ([key]: readonly [string, unknown]) =>
      [...(this.#runs.get(key)?.wanted ?? [])].some((path) => contentChanged.has(path))
    const inTurn = [...candidates]
    const written = contentChanged.size === 0 ? [] : inTurn.filter(isWritten)
    const rest = written.length === 0 ? inTurn : inTurn.filter((candidate) => !written.includes(candidate))
    for (const [number, [key, { format, candidate }]] of [...written, ...rest].entries()) {
      if (number === written.length) notify()
      const before = this.#runs.get(key)
      const isTouched =
        !before ||
        waiting.has(key) ||
        again.has(key) ||
        [...contentChanged].some((path) => before.wanted.has(path)) ||
        (namesChanged && paths.some((path) => concerns(candidate.folder, path)))
      if (!isTouched) continue
      if (await this.#readRun(key, format, candidate, observed)) changed.push(key)
      if (this.#runs.has(key)) this.#unread.delete(key)
      else this.#unread.set(key, { format, candidate })
      if (changed.length >= RUNS_PER_NOTICE) notify()
      // Others get their turn between two runs.
      await new Promise(setImmediate)
    }
    for (const key of this.#unread.keys()) if (!candidates.has(key)) this.#unread.delete(key)
    for (const [key, run] of this.#runs) {
      if (candidates.has(key) || !this.#isRetryOver(key)) continue
      this.#runs.delete(key)
      this.#unreadable.delete(key)
      removed.push(key)
      for (const path of run.files.keys()) {
        if (!this.#names.hasFile(path)) observed.addRemoved(key, path)
      }
    }
    const wanted = new Set([...this.#runs.values()].flatMap((run) => [...run.wanted]))
    this.#versions.keep(wanted)
    notify()
  }

  /** Reads a file again that some run wants. Whether its content changed. */
  #readAgain(path: string): Promise<boolean> | boolean {
    return this.#versions.has(path) ? this.#versions.refresh(this.#root, path) : this.#names.hasFile(path)
  }

  async #tryReading(key: string, format: Format, candidate: Candidate): Promise<Attempt> {
    const files = new Map<string, FileVersion>()
    const source = {
      listing: this.#names.listing,
      remembered: this.#options.remembered(key),
      read: async (path: string) => {
        const version = await this.#versions.read(this.#root, path)
        if (version) files.set(path, version)
        return version?.file
      },
    }
    const { files: all, wanted } = await readRun(format, candidate, source, runLimits)
    if (!this.#options.mayRead(key, versionOf(files))) {
      this.#options.onRefused(key, candidate.files[0] ?? candidate.marker)
      return { reading: undefined, findings: [], wanted, files }
    }
    const reading = format.read(all)
    return {
      reading,
      findings: reading
        ? boundFindings(format.validate(all), candidate.marker)
        : [...all.files.values()].flatMap(({ findings }) => findings),
      wanted,
      files,
    }
  }

  /** @returns whether what is shown of the run changed */
  async #readRun(key: string, format: Format, candidate: Candidate, observed: Sightings): Promise<boolean> {
    const before = this.#runs.get(key)
    const attempt = await this.#tryReading(key, format, candidate).catch((error: unknown): Attempt => {
      this.#options.log(`${key} could not be read`, error)
      const finding = fileFinding(
        candidate.marker,
        'file/read',
        'error',
        'a file that Bridgedeck cannot read',
        'a file of this format',
      )
      return { reading: undefined, findings: [finding], wanted: new Set(candidate.files), files: new Map() }
    })
    const worse = before && whatIsWorse(before, attempt)
    if (before && worse) {
      if (!this.#isRetryOver(key)) return false
      const isKnown = before.stale?.file === worse.file && before.stale.message === worse.message
      // What is broken is not compared value by value: half of its values would seem to be gone.
      for (const [path, now] of attempt.files) observed.add(key, path, undefined, now)
      this.#unreadable.delete(key)
      this.#runs.set(key, {
        ...before,
        wanted: new Set([...before.wanted, ...attempt.wanted]),
        findings: attempt.findings,
        stale: isKnown ? before.stale : { since: Date.now(), file: worse.file, message: worse.message },
        revision: before.revision + (isKnown ? 0 : 1),
      })
      return !isKnown
    }
    // A file that is replaced may be away for a moment.
    const isAway = before?.candidate.files.some((path) => before.files.has(path) && !attempt.files.has(path)) ?? false
    if (isAway && !this.#isRetryOver(key)) return false
    this.#unreadable.delete(key)
    if (!attempt.reading) return false
    const { view } = attempt.reading
    for (const [path, now] of attempt.files) observed.add(key, path, before?.files.get(path), now)
    for (const path of before?.files.keys() ?? []) {
      if (!attempt.files.has(path)) observed.addRemoved(key, path)
    }
    const written = [...attempt.files.values()].flatMap(({ file }) => file.modifiedAt ?? [])
    const next = {
      key,
      format,
      candidate,
      ...attempt,
      reading: attempt.reading,
      view,
      writtenAt: written.length > 0 ? Math.max(...written) : null,
      stale: null,
    }
    // The time first: it alone distinguishes nearly all versions of large files.
    const isSame =
      before?.writtenAt === next.writtenAt && JSON.stringify(shownOf(before)) === JSON.stringify(shownOf(next))
    this.#runs.set(key, { ...next, revision: (before?.revision ?? this.#options.firstRevision) + (isSame ? 0 : 1) })
    return !isSame
  }

  /** Whether a run has been unreadable for so long that it is said; begins to wait when it has just become so. */
  #isRetryOver(key: string): boolean {
    const since = this.#unreadable.get(key)
    if (since !== undefined) return performance.now() - since >= HALF_WRITTEN_MS
    // One that is known to be so is not waited for again.
    const { stale, candidate } = this.#runs.get(key) ?? {}
    if (
      stale &&
      candidate &&
      (this.#names.listing.hasFile(candidate.marker) || this.#names.listing.hasFolder(candidate.marker))
    )
      return true
    this.#unreadable.set(key, performance.now())
    return false
  }

  async #beat(): Promise<void> {
    if (this.#isProbing || this.#isClosed) return
    this.#isProbing = true
    try {
      await this.#probe()
    } catch (error) {
      this.#options.log(`The project ${this.#options.place} could not be looked at`, error)
    } finally {
      this.#isProbing = false
    }
  }

  async #probe(): Promise<void> {
    const folder = await this.#lookAtFolder()
    if (this.#isClosed || folder === 'gone') return
    if (this.#state === 'gone' || folder === 'other') {
      await this.#watch.close()
      await this.#takeFolder()
      return
    }
    if (this.#watch.mode === 'polling') {
      await this.#rescan()
      return
    }
    const stampIn = (path: string) => this.#versions.stampOf(path)
    const moved = new Map(
      (await this.#versions.outdated(this.#root, this.#versions.paths)).map((path) => [path, stampIn(path)]),
    )
    const missedNames = this.#isListed ? await this.#missed.look(this.#root, this.#names.listing) : []
    if (moved.size > 0 || missedNames.length > 0) {
      // In parts: while this thread is busy, the watcher cannot report.
      for (let part = 0; part < 10; part++) await wait(WATCHER_DELAY_MS / 10)
      await this.#working
      // One that was read again meanwhile, and has moved on since, is written all the time.
      const missed = (await this.#versions.outdated(this.#root, [...moved.keys()])).filter(
        (path) => moved.get(path) === stampIn(path) && !this.#dirty.has(path),
      )
      if (missed.length > 0 || this.#areMissed(missedNames)) this.#watchLost('The system did not report a change')
    }
    this.#reported.clear()
  }

  /** The watcher reports a folder with many new names bit by bit: such a folder is checked again. */
  #areMissed(names: readonly string[]): boolean {
    const left = names.filter((path) => !this.#dirty.has(path) && isMissed(this.#root, path, this.#names.listing))
    const behind = left.filter((path) => this.#reported.has(parentOf(path)))
    for (const path of behind) this.#missed.again(parentOf(path))
    return behind.length < left.length
  }

  /** Whether the folder is there, and is the one that was opened. */
  async #lookAtFolder(): Promise<'same' | 'other' | 'gone'> {
    const { place } = this.#options
    try {
      return (await identityOf(place)) === this.#rootId ? 'same' : 'other'
    } catch (error) {
      if (!this.#isClosed) this.#goneNow(describeFolderError(error, place))
      return 'gone'
    }
  }

  #watchLost(why: string): void {
    if (this.#isClosed || this.#watch.mode === 'polling') return
    void this.#watch
      .poll(`${why}. Bridgedeck checks the folder every ${HEARTBEAT_MS / 1000} s instead.`)
      .then(() => this.#rescan())
    this.#options.onProject()
  }

  #goneNow(error: AppError): void {
    const problem = describeFailure(error)
    if (this.#state === 'gone' && this.#problem === problem) return
    this.#state = 'gone'
    this.#problem = problem
    this.#options.onProject()
  }
}

/** Another one when any of the files is another. */
function versionOf(files: ReadonlyMap<string, FileVersion>): string {
  const hash = createHash('sha256')
  for (const [path, version] of files) hash.update(`${path}\0${version.hash}\0`)
  return hash.digest('hex')
}

const shownOf = ({ reading, findings, stale }: Pick<OpenRun, 'reading' | 'findings' | 'stale'>) => [
  reading.view,
  reading.details,
  findings,
  stale,
]

/** Whether a name may matter to what is in a folder. */
const concerns = (folder: string, path: string): boolean =>
  folder === '' || `${path}/`.startsWith(`${folder}/`) || folder.startsWith(`${path}/`)

/** Why a version is not taken over from the last good one: a file that can no longer be read as what it was. */
function whatIsWorse(
  before: OpenRun,
  { reading, findings, files }: Attempt,
): { file: string; message: string } | undefined {
  const { marker } = before.candidate
  if (!files.has(marker) && before.files.has(marker)) return { file: marker, message: `${marker} is gone.` }
  for (const [path, { file }] of files) {
    if (file.text?.trim() === '' && (before.files.get(path)?.file.text ?? '').trim() !== '')
      return { file: path, message: `${path} is empty.` }
  }
  const wasBroken = new Set(
    before.stale ? [] : before.findings.filter(isUnreadable).map(({ file, rule }) => `${file} ${rule}`),
  )
  const broken = findings.find((finding) => isUnreadable(finding) && !wasBroken.has(`${finding.file} ${finding.rule}`))
  if (broken) return { file: broken.file, message: printFinding(broken) }
  if (!reading) return { file: marker, message: `${marker} no longer matches its format.` }
  return undefined
}

/** What holds for any file: it is no text, no JSON, cut off. */
const isUnreadable = ({ rule, severity }: Finding): boolean => severity === 'error' && rule.startsWith('file/')
