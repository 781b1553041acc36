/** The open projects: what is known of them, and when it changed. */
import { basename } from 'node:path'
import type { Input, Output, Payload } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { MAX_RUN_PAGE, type Project, type Run, type System } from '@shared/contract/orchestration'
import { ProjectWorkerClient, type StartProjectWorker } from './worker/projectWorkerClient'
import type { ForwardedCommand, RememberedValues, RequestInput, RequestOutput } from './worker/messages'
import type { Database } from '../storage/database'
import { ProjectStore, type StoredProject } from '../storage/projects'
import type { Format } from '../formats/format'
import type { TrustedFolder } from '../git/trustedFolder'
import { describeFolderError, identityOf } from './read/projectDisk'
import { ProjectChanges, type ChangedNames } from './projectChanges'
import { describeProject, ReportedProject } from './reportedProject'
import { identifyFolder, requireTrusted } from './trust'

export interface ProjectsOptions {
  readonly database: Database
  readonly formats: readonly Format[]
  /** What reads and watches the folders, in a thread of its own. */
  readonly startWorker: StartProjectWorker
  readonly onChanged: (changes: Payload<'projects.changed'>) => void
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

const MAX_LISTED_PROJECTS = 200

export class Projects {
  readonly #options: ProjectsOptions
  readonly #store: ProjectStore
  readonly #worker: ProjectWorkerClient
  readonly #open = new Map<number, ReportedProject>()
  #revision = 0
  readonly #changes = new ProjectChanges((changed) => this.#notify(changed))

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
        this.#changes.addProject(id)
      },
      onRuns: (id, changed, removed) => this.#take(id, changed, removed),
      onRefused: (id, run, file) => this.#refuse(id, run, file),
      onLost: (id) => this.#open.get(id)?.expectAll(),
      onLoaded: (id) => {
        const open = this.#open.get(id)
        if (!open) return
        open.isRead = true
        this.#take(id, [], open.gone)
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
    for (const other of forgotten) this.#changes.addForgotten(other)
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
    for (const run of project?.runs.keys() ?? []) this.#changes.addRemoved(id, run)
    this.#changes.addProject(id)
    await this.#worker.close(id)
  }

  forget(id: number): void {
    this.#require(id)
    if (this.#open.has(id))
      throw new AppError('CONFLICT', 'An open project cannot be removed from the list.', { hint: 'Close it first.' })
    this.#store.forget(id)
    this.#changes.addForgotten(id)
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
    this.#changes.addProject(project)
    if (this.#open.has(project))
      this.#worker
        .ask('trustChanged', { project })
        .catch((error: unknown) => this.#options.log('Could not check the commits again', error))
  }

  /** Permission to run git or an agent in a folder of a project. @throws AppError FORBIDDEN when it is restricted */
  requireTrusted(id: number, folder = ''): TrustedFolder {
    return requireTrusted(this.#require(id), folder)
  }

  list(): Output<'projects.list'> {
    return {
      revision: this.#revision,
      projects: this.#store.all.slice(0, MAX_LISTED_PROJECTS).map((stored) => this.#describe(stored)),
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
    this.#changes.cancel()
    this.#open.clear()
    await this.#worker.end()
  }

  async #start(id: number, place: string): Promise<void> {
    this.#open.set(id, new ReportedProject())
    this.#changes.addProject(id)
    await this.#worker.open(id, place)
  }

  #take(id: number, changed: readonly Run[], removed: readonly string[]): void {
    const open = this.#open.get(id)
    if (!open) return
    for (const run of changed) {
      open.set(run)
      this.#changes.addRun(id, run.key)
    }
    if (changed.length > 0) this.#options.onRuns?.(id, changed, open.isRead)
    for (const run of removed) {
      open.remove(run)
      this.#changes.addRemoved(id, run)
    }
    if (changed.length > 0 || removed.length > 0) this.#changes.addProject(id)
  }

  #refuse(id: number, key: string, file: string): void {
    const open = this.#open.get(id)
    if (!open) return
    if (open.refuse(key, file)) this.#changes.addRun(id, key)
    this.#changes.addProject(id)
  }

  #require(id: number): StoredProject {
    const stored = this.#store.get(id)
    if (!stored)
      throw new AppError('NOT_FOUND', 'This project is no longer on the list.', { hint: 'Open its folder again.' })
    return stored
  }

  #requireOpen(id: number): ReportedProject {
    const { path } = this.#require(id)
    const project = this.#open.get(id)
    if (!project)
      throw new AppError('NOT_FOUND', `The project ${basename(path)} is not open.`, {
        hint: 'Choose it in the list of projects.',
      })
    return project
  }

  #notify({ projects, forgotten, runs, removed }: ChangedNames): void {
    this.#options.onChanged({
      from: this.#revision,
      revision: ++this.#revision,
      projects: projects.flatMap((id) => {
        const stored = this.#store.get(id)
        return stored ? [this.#describe(stored)] : []
      }),
      forgotten: [...forgotten],
      runs: runs.flatMap(({ project, run: key }) => {
        const run = this.#open.get(project)?.runs.get(key)
        return run ? [{ project, run }] : []
      }),
      removed: [...removed],
    })
  }

  #describe(stored: StoredProject): Project {
    return describeProject(stored, this.#open.get(stored.id))
  }
}
