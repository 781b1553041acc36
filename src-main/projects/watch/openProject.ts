/** Runs are read again only where something changed. Nothing in the project is run or written. */
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { AppError } from '@shared/contract/errors'
import { isFileName } from '@shared/contract/fileName'
import { MAX_LINE_CHARACTERS, type Project } from '@shared/contract/orchestration'
import type { Format } from '../../formats/format'
import type { Listing } from '../../formats/listing'
import { describeFolderError } from '../read/projectDisk'
import { scanProject, type Scan } from '../read/scanProject'
import type { RunOnDisk } from '../read/readRun'
import { FileVersions } from './fileVersions'
import { FolderWatch, type WatchFolder } from './folderWatch'
import { MissedChanges } from './missedChanges'
import type { FoundRun, OpenRun } from './openRun'
import { findRuns, OpenRuns, RETRY_MS, type OpenRunsOptions } from './openRuns'
import { ProjectFolder } from './projectFolder'
import { ProjectNames } from './projectNames'
import { RunChanges, type RunChangesOptions } from './runChanges'

const HEARTBEAT_MS = 2_000
const RUNS_PER_NOTICE = 25

export interface OpenProjectOptions extends OpenRunsOptions, RunChangesOptions {
  readonly place: string
  readonly formats: readonly Format[]
  readonly onProject: () => void
  readonly watchFolder?: WatchFolder
}

export class OpenProject {
  readonly #options: OpenProjectOptions
  readonly #folder: ProjectFolder
  readonly #watch: FolderWatch
  readonly #names = new ProjectNames()
  readonly #versions = new FileVersions()
  readonly #missed = new MissedChanges(this.#names, this.#versions)
  readonly #runs: OpenRuns
  #leftOut: readonly string[] = []
  /** False where the folder is too large or too deep for all of its names to be known. */
  #isListed = false
  #leftOutChanged = false
  readonly #dirty = new Set<string>()
  readonly #again = new Set<string>()
  #working: Promise<void> | undefined
  #starting: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #isProbing = false
  readonly #ended = new AbortController()

  constructor(options: OpenProjectOptions) {
    this.#options = options
    this.#folder = new ProjectFolder(options.place)
    this.#runs = new OpenRuns(options, this.#folder, this.#names, this.#versions)
    this.#watch = new FolderWatch({
      onPaths: (paths) => this.#pathsChanged(paths),
      onLost: (why) => this.#watchLost(why),
      ...(options.watchFolder ? { watchFolder: options.watchFolder } : {}),
    })
  }

  /** Resolves when all runs are read; the watcher starts after that. An unreadable folder is read once it can be. */
  async open(): Promise<void> {
    await this.#takeFolder()
    if (!this.#isClosed) this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS)
  }

  get summary(): Pick<Project, 'name' | 'place' | 'state' | 'watch' | 'problems' | 'runs' | 'files'> {
    const { place, state, problem } = this.#folder
    // In a folder that is gone, all other problems came of that.
    const problems = problem === undefined ? [...this.#watch.problems, ...this.#leftOut] : [problem]
    return {
      name: basename(place).slice(0, 300) || place.slice(0, 300),
      place: place.slice(0, 4096),
      state,
      watch: state === 'open' ? this.#watch.mode : 'none',
      problems: problems.slice(0, 20).map((text) => text.slice(0, MAX_LINE_CHARACTERS)),
      runs: this.#runs.size,
      files: this.#names.size,
    }
  }

  get keys(): string[] {
    return this.#runs.keys
  }

  run(key: string): OpenRun | undefined {
    return this.#runs.get(key)
  }

  reread(key: string): void {
    this.#again.add(key)
    void this.#work()
  }

  /** Settles once every run is known as it is on disk, or has been unreadable long enough to report it. */
  async settle(): Promise<void> {
    await this.#rescan()
    while (this.#runs.hasUnreadable && !this.#isClosed) {
      await wait(RETRY_MS)
      await this.#work()
    }
  }

  writerKnown(file: string, hash: string, writer: string): void {
    for (const key of this.#runs.keys) {
      const run = this.#runs.get(key)
      const version = run?.files.get(file)
      if (!run || version?.hash !== hash) continue
      if (version.file.modifiedAt === run.writtenAt && run.writtenBy !== writer) this.reread(key)
    }
  }

  get listing(): Listing {
    return this.#names.listing
  }

  placeOf(key: string): RunOnDisk | undefined {
    const run = this.#runs.get(key)
    if (!run) return undefined
    const { format, candidate } = run
    const { root, listing } = this
    const read = (path: string) => this.#versions.readFresh(root, path)
    return { root, format, candidate, listing, remembered: this.rememberedOf(key), read }
  }

  rememberedOf(key: string): ReadonlyMap<string, string> {
    return this.#options.remembered(key)
  }

  get root(): string {
    return this.#folder.root
  }

  get identity(): string | null {
    return this.#folder.identity
  }

  async close(): Promise<void> {
    this.#ended.abort()
    clearInterval(this.#heartbeat)
    clearTimeout(this.#retry)
    await this.#watch.close()
    await Promise.all([this.#starting, this.#working])
    await this.#watch.close()
  }

  get #isClosed(): boolean {
    return this.#ended.signal.aborted
  }

  async #takeFolder(): Promise<void> {
    try {
      await this.#folder.find()
      const scan = await scanProject(this.root, this.#ended.signal)
      this.#folder.setOpen()
      await this.#catchUp(scan)
    } catch (error) {
      this.#folderGone(describeFolderError(error, this.#folder.place))
      return
    }
    this.#options.onProject()
    this.#starting = this.#beginWatch().catch((error: unknown) =>
      this.#watchLost(`The folder could not be watched (${String(error)})`),
    )
  }

  async #beginWatch(): Promise<void> {
    await this.#watch.start(this.root)
    if (!this.#isClosed) this.#options.onProject()
    if (!this.#isClosed) await this.#rescan()
  }

  async #rescan(): Promise<void> {
    const scan = await scanProject(this.root, this.#ended.signal).catch(() => undefined)
    if (scan) await this.#catchUp(scan)
  }

  async #catchUp({ listing, findings }: Scan): Promise<void> {
    const leftOut = findings.map(
      ({ file, found, expected }) => `${shortName(file) || 'The folder'}: ${found}; expected ${expected}.`,
    )
    const isNews = leftOut.join('\n') !== this.#leftOut.join('\n')
    this.#leftOut = leftOut
    if (isNews && this.#folder.state === 'open') this.#options.onProject()
    this.#isListed = findings.every(({ rule }) => rule !== 'project/size' && rule !== 'project/depth')
    for (const path of this.#names.differences(listing)) this.#dirty.add(path)
    for (const path of await this.#versions.outdated(this.root, this.#versions.paths)) this.#dirty.add(path)
    await this.#work()
  }

  #pathsChanged(paths: Iterable<string>): void {
    for (const path of paths) {
      if (isFileName(path)) this.#dirty.add(path)
      else this.#leftOutChanged = true
      this.#missed.noteReported(path)
    }
    void this.#work()
  }

  /** Callers meanwhile wait for the same reading. */
  #work(): Promise<void> {
    this.#working ??= this.#drain()
      .catch((error: unknown) => this.#options.log(`The project ${this.#folder.place} could not be read`, error))
      .finally(() => {
        this.#working = undefined
      })
    return this.#working
  }

  async #drain(): Promise<void> {
    while (!this.#isClosed && (this.#dirty.size > 0 || this.#again.size > 0 || this.#runs.isRetryDue)) {
      if ((await this.#checkFolder()) !== 'same') return
      const paths = [...this.#dirty]
      this.#dirty.clear()
      await this.#update(paths)
    }
    clearTimeout(this.#retry)
    if (this.#runs.hasUnreadable && !this.#isClosed) this.#retry = setTimeout(() => void this.#work(), RETRY_MS)
  }

  async #update(paths: readonly string[]): Promise<void> {
    const again = new Set(this.#again)
    this.#again.clear()
    const retries = this.#runs.takeRetries()
    const namesChanged = await this.#names.update(this.root, paths)
    const contentChanged = await this.#findNewContent(paths, retries)
    if (namesChanged) this.#names.refreshListing()
    const mayBeElsewhere = namesChanged || retries.size > 0 || this.#runs.size === 0
    const found = mayBeElsewhere ? findRuns(this.#options.formats, this.listing) : this.#runs.found

    const isTouched = (key: string, { candidate }: FoundRun): boolean =>
      !this.#runs.get(key) ||
      retries.has(key) ||
      again.has(key) ||
      this.#runs.wants(key, contentChanged) ||
      (namesChanged && paths.some((path) => concerns(candidate.folder, path)))
    const changes = new RunChanges(this.#options)
    // Runs whose files were written come before those that only have a new name beside them.
    const written = new Map([...found].filter(([key]) => this.#runs.wants(key, contentChanged)))
    await this.#readRuns(written, () => true, changes)
    this.#notify(changes)
    await this.#readRuns(found, (key, run) => !written.has(key) && isTouched(key, run), changes)
    changes.removed.push(...this.#runs.removeOthers(found, changes.observed))
    this.#notify(changes)
  }

  async #readRuns(
    found: ReadonlyMap<string, FoundRun>,
    isWanted: (key: string, run: FoundRun) => boolean,
    changes: RunChanges,
  ): Promise<void> {
    for (const [key, run] of found) {
      if (!isWanted(key, run)) continue
      if (await this.#runs.read(key, run, changes.observed)) changes.changed.push(key)
      if (changes.changed.length >= RUNS_PER_NOTICE) this.#notify(changes)
      await new Promise(setImmediate)
    }
  }

  #notify(changes: RunChanges): void {
    if (!this.#isClosed) changes.notify()
  }

  async #findNewContent(paths: readonly string[], runs: ReadonlySet<string>): Promise<Set<string>> {
    const looked = new Set(paths)
    for (const key of runs) for (const path of this.#runs.get(key)?.wanted ?? []) looked.add(path)
    const changed = new Set<string>()
    for (const path of looked) {
      const isChanged = this.#versions.has(path)
        ? await this.#versions.refresh(this.root, path)
        : this.#names.hasFile(path)
      if (isChanged) changed.add(path)
    }
    return changed
  }

  async #beat(): Promise<void> {
    if (this.#isProbing || this.#isClosed) return
    this.#isProbing = true
    try {
      await this.#probe()
    } catch (error) {
      this.#options.log(`The project ${this.#folder.place} could not be looked at`, error)
    } finally {
      this.#isProbing = false
    }
  }

  async #probe(): Promise<void> {
    const folder = await this.#checkFolder()
    if (this.#isClosed || folder === 'gone') return
    if (this.#folder.state === 'gone' || folder === 'other') {
      await this.#watch.close()
      await this.#takeFolder()
      return
    }
    if (this.#watch.mode === 'polling' || this.#leftOutChanged) {
      this.#leftOutChanged = false
      await this.#rescan()
      return
    }
    const pending = { has: (path: string) => this.#dirty.has(path), settled: async () => this.#working }
    if (await this.#missed.search(this.root, this.#isListed, pending))
      this.#watchLost('The system did not report a change')
  }

  async #checkFolder(): Promise<'same' | 'other' | 'gone'> {
    const found = await this.#folder.check()
    if (found === 'same' || found === 'other') return found
    this.#folderGone(found)
    return 'gone'
  }

  #watchLost(why: string): void {
    if (this.#isClosed || this.#watch.mode === 'polling') return
    void this.#watch
      .poll(`${why}. Bridgedeck checks the folder every ${HEARTBEAT_MS / 1000} s instead.`)
      .then(() => this.#rescan())
    this.#options.onProject()
  }

  #folderGone(error: AppError): void {
    if (!this.#isClosed && this.#folder.setGone(error)) this.#options.onProject()
  }
}

const shortName = (file: string): string => (file.length > 200 ? `…${file.slice(-200)}` : file)

const concerns = (folder: string, path: string): boolean =>
  folder === '' || `${path}/`.startsWith(`${folder}/`) || folder.startsWith(`${path}/`)
