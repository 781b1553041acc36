/** The open projects: what is known of them, and when it changed. */
import { basename } from 'node:path'
import type { Input, Output, Payload } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { MAX_LINE_CHARACTERS, MAX_RUN_PAGE, type Project, type Run } from '@shared/contract/orchestration'
import { ProjectWorkerClient, type StartProjectWorker } from './worker/projectWorkerClient'
import type { ForwardedCommand, RememberedValues, RequestInput, RequestOutput, Summary } from './worker/messages'
import type { Database } from '../storage/database'
import { ProjectStore, type StoredProject } from '../storage/projects'
import { NotifyTimer } from '../rpc/notifyTimer'
import type { Format } from '../formats/format'
import type { TrustedFolder } from '../git/trustedFolder'
import { describeFolderError, identityOf } from './read/projectDisk'
import type { System } from '@shared/contract/orchestration'
import { identifyFolder, requireTrusted } from './trust'

type Changes = Payload<'projects.changed'>

export interface ProjectsOptions {
  readonly database: Database
  readonly formats: readonly Format[]
  /** What reads and watches the folders, in a thread of its own. */
  readonly startWorker: StartProjectWorker
  readonly onChanged: (changes: Changes) => void
  /** `isNew` is false for what is there when the project is opened. */
  readonly onRuns?: (project: number, runs: readonly Run[], isNew: boolean) => void
  readonly onOverwritten?: (event: Payload<'projects.overwritten'>) => void
  readonly onEdited?: (event: Payload<'projects.edited'>) => void
  readonly log: (message: string, error?: unknown) => void
  /** How long reading one run may take, ms. */
  readonly readingLimit?: number
}

/** What is asked of one project. */
export type QuestionOf<Name extends ForwardedCommand> = RequestInput<Name> & { readonly project: number }

/** What the worker reported of an open project. */
interface Open {
  /** What the folder really is, links resolved; empty until it was read. */
  root: string
  /** Which folder it is, as trust knows it; null until it was found. */
  identity: string | null
  summary: Summary | undefined
  readonly runs: Map<string, Run>
  /** Runs of which reading was given up, and the file that it failed at. */
  readonly refused: Map<string, string>
  /** All runs that were there when it was opened were reported. */
  isRead: boolean
  /** Runs that a restarted worker has not reported yet. */
  notReported: Set<string>
}

const NOTIFY_DELAY_MS = 30

/** The rest follows in the next event: many at once would keep this thread from its other work. */
const RUNS_PER_EVENT = 100

const MAX_PROJECTS = 200

export class Projects {
  readonly #options: ProjectsOptions
  readonly #store: ProjectStore
  readonly #worker: ProjectWorkerClient
  readonly #open = new Map<number, Open>()
  #revision = 0
  #changed = {
    projects: new Set<number>(),
    forgotten: new Set<number>(),
    runs: new Map<string, { project: number; run: string }>(),
    removed: new Map<string, { project: number; run: string }>(),
  }
  readonly #notifyTimer = new NotifyTimer(NOTIFY_DELAY_MS, () => this.#notify())

  constructor(options: ProjectsOptions) {
    this.#options = options
    this.#store = new ProjectStore(options.database)
    this.#worker = new ProjectWorkerClient({
      start: options.startWorker,
      log: options.log,
      onOverwritten: (event) => options.onOverwritten?.(event),
      onEdited: (event) => options.onEdited?.(event),
      ...(options.readingLimit === undefined ? {} : { limit: options.readingLimit }),
      onSummary: (id, { root, identity, summary }) => {
        const open = this.#open.get(id)
        if (!open) return
        open.root = root
        open.identity = identity
        open.summary = summary
        this.#noteProject(id)
      },
      onRuns: (id, changed, removed) => this.#take(id, changed, removed),
      onRefused: (id, run, file) => this.#refuse(id, run, file),
      onLost: (id) => {
        const open = this.#open.get(id)
        if (open) open.notReported = new Set(open.runs.keys())
      },
      onLoaded: (id) => {
        const open = this.#open.get(id)
        if (open) open.isRead = true
        if (open)
          this.#take(
            id,
            [],
            [...open.notReported].filter((run) => !open.refused.has(run)),
          )
      },
    })
  }

  /** Opens again what was open, and was not opened meanwhile. */
  async begin(): Promise<void> {
    for (const { id, path, isOpen } of this.#store.all) {
      if (isOpen && !this.#open.has(id)) await this.#start(id, path)
    }
  }

  async open(path: string): Promise<{ project: number }> {
    const known = this.#store.all.find((stored) => stored.path === path)
    if (known && this.#open.has(known.id)) return { project: known.id }
    await identityOf(path).catch((error: unknown) => {
      throw describeFolderError(error, path)
    })
    const { id, forgotten } = this.#store.opened(path, Date.now())
    for (const other of forgotten) this.#changed.forgotten.add(other)
    await this.#start(id, path)
    return { project: id }
  }

  reopen(id: number): Promise<{ project: number }> {
    return this.open(this.#require(id).path)
  }

  async close(id: number): Promise<void> {
    this.#require(id)
    const project = this.#open.get(id)
    this.#open.delete(id)
    this.#store.closed(id)
    for (const run of project?.runs.keys() ?? []) this.#noteRemoved(id, run)
    this.#noteProject(id)
    await this.#worker.close(id)
  }

  forget(id: number): void {
    this.#require(id)
    if (this.#open.has(id))
      throw new AppError('CONFLICT', 'An open project cannot be removed from the list.', { hint: 'Close it first.' })
    this.#store.forget(id)
    this.#changed.forgotten.add(id)
    this.#notifyTimer.schedule()
  }

  folder(id: number): Output<'projects.folder'> {
    const { path } = this.#require(id)
    return { path, ...identifyFolder(path) }
  }

  /** Of a folder that was never opened, too. */
  setTrusted({ path, identity }: Input<'projects.setTrusted'>): { project: number } {
    if (identifyFolder(path).identity !== identity)
      throw new AppError('CONFLICT', `The folder ${path} was replaced while you were being asked.`, {
        hint: 'Check what is there now, then trust it again.',
      })
    const project = this.#store.trust(path, identity, Date.now())
    this.#trustChanged(project)
    return { project }
  }

  distrust(id: number): void {
    this.#require(id)
    this.#store.distrust(id)
    this.#trustChanged(id)
  }

  #trustChanged(project: number): void {
    this.#noteProject(project)
    if (this.#open.has(project))
      this.#worker
        .ask('trustChanged', { project })
        .catch((error: unknown) => this.#options.log('Could not check the commits again', error))
  }

  /** The leave to run git or an agent in a folder of a project. @throws AppError FORBIDDEN when it is restricted */
  requireTrusted(id: number, folder = ''): TrustedFolder {
    return requireTrusted(this.#require(id), folder)
  }

  list(): Output<'projects.list'> {
    return {
      revision: this.#revision,
      projects: this.#store.all.slice(0, MAX_PROJECTS).map((stored) => this.#describe(stored)),
      formats: this.#options.formats.map(({ name }) => name),
    }
  }

  runs({ project: id, after }: Input<'projects.runs'>): Output<'projects.runs'> {
    const project = this.#requireOpen(id)
    const keys = [...project.runs.keys()].sort()
    const from = after === null ? 0 : keys.findIndex((key) => key > after)
    const page = from < 0 ? [] : keys.slice(from, from + MAX_RUN_PAGE)
    const runs = page.flatMap((key) => project.runs.get(key) ?? [])
    return { revision: this.#revision, runs, next: from + page.length < keys.length ? (page.at(-1) ?? null) : null }
  }

  /** The folder of an open project, links resolved, and the key of a run in it. @throws AppError NOT_FOUND when it is not open, or has no such run */
  placeOfRun({
    project: id,
    system,
    folder,
  }: {
    readonly project: number
    readonly system: System
    readonly folder: string
  }): { root: string; run: string } {
    const project = this.#requireOpen(id)
    const found = [...project.runs.values()].find(
      (run) => run.system === system && run.folder === folder && !run.archived,
    )
    if (!found)
      throw new AppError(
        'NOT_FOUND',
        `There is no ${system} run ${folder === '' ? 'in the project’s own folder' : `in ${folder}`}.`,
        { hint: 'Its files may have been moved or archived.' },
      )
    return { root: project.root, run: found.key }
  }

  /** Asks the worker. @throws AppError NOT_FOUND when the project is not open */
  async ask<Name extends ForwardedCommand>(
    name: Name,
    input: QuestionOf<Name>,
    signal?: AbortSignal,
  ): Promise<RequestOutput<Name>> {
    if (name === 'projects.journal') this.#require(input.project)
    else this.#requireOpen(input.project)
    return this.#worker.ask(name, input, signal)
  }

  search(input: Input<'projects.search'>, signal?: AbortSignal): Promise<Output<'projects.search'>> {
    return this.#worker.ask('projects.search', input, signal)
  }

  /** What Bridgedeck remembers of a run beside its files changed. */
  reread(id: number, run: string): void {
    if (this.#open.has(id))
      this.#worker
        .ask('reread', { project: id, run })
        .catch((error: unknown) => this.#options.log('Could not read a run again', error))
  }

  /** Remembers values beside the files of runs. The worker writes them: this thread never waits for its transactions. */
  remember(id: number, runs: RememberedValues): void {
    if (this.#open.has(id))
      this.#worker
        .ask('remember', { project: id, runs })
        .catch((error: unknown) => this.#options.log('Could not remember what was notified', error))
  }

  readonly #atWork = new Map<number, { readonly name: string }[]>()
  /** An agent works in the project until the function that is returned is called. */
  agentAtWork(project: number, name: string): () => void {
    const agent = { name }
    this.#notifyAgents(project, [...(this.#atWork.get(project) ?? []), agent])
    return () =>
      this.#notifyAgents(
        project,
        (this.#atWork.get(project) ?? []).filter((other) => other !== agent),
      )
  }

  #notifyAgents(project: number, agents: { readonly name: string }[]): void {
    this.#atWork.set(project, agents)
    if (!this.#open.has(project)) return
    this.#worker
      .ask('agents', { project, names: agents.map(({ name }) => name) })
      .catch((error: unknown) => this.#options.log('Could not notify the project reader of the agents at work', error))
  }

  async closeAll(): Promise<void> {
    this.#notifyTimer.cancel()
    this.#open.clear()
    await this.#worker.end()
  }

  async #start(id: number, place: string): Promise<void> {
    this.#open.set(id, {
      root: '',
      identity: null,
      summary: undefined,
      runs: new Map(),
      refused: new Map(),
      notReported: new Set(),
      isRead: false,
    })
    this.#noteProject(id)
    await this.#worker.open(id, place)
  }

  #take(id: number, changed: readonly Run[], removed: readonly string[]): void {
    const open = this.#open.get(id)
    if (!open) return
    for (const run of changed) {
      open.runs.set(run.key, run)
      open.refused.delete(run.key)
      open.notReported.delete(run.key)
      this.#noteRun(id, run.key)
    }
    if (changed.length > 0) this.#options.onRuns?.(id, changed, open.isRead)
    for (const run of removed) {
      open.runs.delete(run)
      open.refused.delete(run)
      open.notReported.delete(run)
      this.#noteRemoved(id, run)
    }
    if (changed.length > 0 || removed.length > 0) this.#noteProject(id)
  }

  #refuse(id: number, key: string, file: string): void {
    const open = this.#open.get(id)
    if (!open) return
    open.refused.set(key, file)
    const run = open.runs.get(key)
    if (run) {
      open.runs.set(key, {
        ...run,
        stale: { since: Date.now(), file, message: couldNotBeRead(file) },
        revision: run.revision + 1,
      })
      this.#noteRun(id, key)
    }
    this.#noteProject(id)
  }

  #require(id: number): StoredProject {
    const stored = this.#store.get(id)
    if (!stored)
      throw new AppError('NOT_FOUND', 'This project is no longer on the list.', { hint: 'Open its folder again.' })
    return stored
  }

  #requireOpen(id: number): Open {
    const { path } = this.#require(id)
    const project = this.#open.get(id)
    if (!project)
      throw new AppError('NOT_FOUND', `The project ${basename(path)} is not open.`, {
        hint: 'Choose it in the list of projects.',
      })
    return project
  }

  #describe({ id, path, openedAt, trustedAs }: StoredProject): Project {
    const open = this.#open.get(id)
    // Of one that is closed, the folder is looked at when it is opened.
    const trusted = trustedAs !== null && (open === undefined || open.identity === trustedAs)
    const shown = open?.summary ?? {
      name: basename(path).slice(0, 300) || path.slice(0, 300),
      place: path.slice(0, 4096),
      state: open ? ('reading' as const) : ('closed' as const),
      watch: 'none' as const,
      problems: [],
      runs: 0,
      files: 0,
    }
    const refused = [...(open?.refused.values() ?? [])].map(couldNotBeRead)
    return { project: id, openedAt, trusted, ...shown, problems: [...refused, ...shown.problems].slice(0, 20) }
  }

  #noteProject(id: number): void {
    this.#changed.projects.add(id)
    this.#notifyTimer.schedule()
  }

  #noteRun(project: number, run: string): void {
    this.#changed.removed.delete(`${project} ${run}`)
    this.#changed.runs.set(`${project} ${run}`, { project, run })
    this.#notifyTimer.schedule()
  }

  #noteRemoved(project: number, run: string): void {
    this.#changed.runs.delete(`${project} ${run}`)
    this.#changed.removed.set(`${project} ${run}`, { project, run })
    this.#notifyTimer.schedule()
  }

  #notify(): void {
    const { projects, forgotten, runs, removed } = this.#changed
    this.#changed = { ...this.#changed, projects: new Set(), forgotten: new Set() }
    this.#options.onChanged({
      from: this.#revision,
      revision: ++this.#revision,
      projects: [...projects].slice(0, MAX_PROJECTS).flatMap((id) => {
        const stored = this.#store.get(id)
        return stored ? [this.#describe(stored)] : []
      }),
      forgotten: [...forgotten].slice(0, MAX_PROJECTS),
      runs: takeSome(runs).flatMap(({ project, run: key }) => {
        const run = this.#open.get(project)?.runs.get(key)
        return run ? [{ project, run }] : []
      }),
      removed: takeSome(removed),
    })
    if (runs.size > 0 || removed.size > 0) this.#notifyTimer.schedule()
  }
}

/** Takes the first out of what waits, as many as one event has. */
function takeSome<Value>(waiting: Map<string, Value>): Value[] {
  const taken = [...waiting].slice(0, RUNS_PER_EVENT)
  for (const [key] of taken) waiting.delete(key)
  return taken.map(([, value]) => value)
}

const couldNotBeRead = (file: string): string =>
  `${file} could not be read: it takes too long or too much memory. Bridgedeck tries again when it changes.`.slice(
    -MAX_LINE_CHARACTERS,
  )
