import { basename } from 'node:path'
import type { Input, Output, Payload } from '@shared/contract/contract'
import type { AgentTurn } from '@shared/contract/agents'
import { AppError } from '@shared/contract/errors'
import { MAX_RUN_PAGE, type Project, type Run, type System } from '@shared/contract/orchestration'
import { isMaestroSession, MAESTRO_BATCHES, loopPlace } from '@shared/formats/systems'
import { runOfTurn } from '@shared/report/report'
import { ProjectWorkerClient, type StartProjectWorker } from './worker/projectWorkerClient'
import type { ForwardedCommand, RememberedValues, RequestInput, RequestOutput } from './worker/messages'
import { ChangeFeed, pageAfter, type Changes } from '../rpc/changeFeed'
import type { Database } from '../storage/database'
import { ProjectStore, type StoredProject } from '../storage/projects'
import type { Openings } from '../storage/quarantine'
import type { FileChange } from '../formats/edit/action'
import type { Format } from '../formats/format'
import { isInside } from '../files/containedPath'
import { repositoryAround } from '../files/repositoryAt'
import type { TrustedFolder } from '../git/trustedFolder'
import { locateFile } from './read/filePart'
import { describeFolderError, identityOf } from './read/projectDisk'
import { describeProject, ReportedProject } from './reportedProject'
import { requireShowable } from './showableFolder'
import { identifyFolder, requireTrusted, trustedAround } from './trust'

export interface ProjectsOptions {
  readonly database: Database
  readonly formats: readonly Format[]
  readonly startWorker: StartProjectWorker
  readonly onChanged: (changes: Payload<'projects.changed'>) => void
  readonly onRuns?: (project: number, runs: readonly Run[], isNew: boolean) => void
  readonly onOverwritten?: (event: Payload<'projects.overwritten'>) => void
  readonly onEdited?: (event: Payload<'projects.edited'>) => void
  readonly openings?: Openings
  readonly log: (message: string, error?: unknown) => void
  /** ms */
  readonly readingLimit?: number
}

export type QuestionOf<Name extends ForwardedCommand> = RequestInput<Name> & { readonly project: number }

const MAX_LISTED_PROJECTS = 200

const NOTIFY_DELAY_MS = 30
const MAX_EVENT_ITEMS = 100

interface Changed {
  readonly project: number
  readonly run: string | null
}

export class Projects {
  readonly #options: ProjectsOptions
  readonly #store: ProjectStore
  readonly #worker: ProjectWorkerClient
  readonly #open = new Map<number, ReportedProject>()
  readonly #feed = new ChangeFeed<Changed>({
    delayMs: NOTIFY_DELAY_MS,
    maxItems: MAX_EVENT_ITEMS,
    send: (changes) => this.#send(changes),
  })

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
      onLost: (id) => this.#open.get(id)?.expectAll(),
      onLoaded: (id) => {
        const open = this.#open.get(id)
        if (!open) return
        open.isRead = true
        const stored = this.#store.get(id)
        if (stored) options.openings?.settled('project', stored.path)
        this.#take(id, [], open.gone)
      },
    })
  }

  async begin(): Promise<void> {
    for (const { id, path, isOpen } of this.#store.all) {
      if (!isOpen || this.#open.has(id)) continue
      try {
        requireShowable(path)
        await this.#start(id, path)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        this.#options.log(error.message)
        this.#noteForgotten(this.#store.closed(id))
        this.#noteProject(id)
      }
    }
  }

  async open(path: string, isForReading = false): Promise<{ project: number }> {
    requireShowable(path)
    const known = this.#store.all.find((stored) => stored.path === path)
    if (known && this.#open.has(known.id)) return { project: known.id }
    await identityOf(path).catch((error: unknown) => {
      throw describeFolderError(error, path)
    })
    this.#options.openings?.requireAllowed('project', path)
    const { id, forgotten } = this.#store.opened(path, (isForReading ? known?.openedAt : undefined) ?? Date.now())
    this.#noteForgotten(forgotten)
    await this.#start(id, path)
    return { project: id }
  }

  isOpen(id: number): boolean {
    return this.#open.has(id)
  }

  reopen(id: number): Promise<{ project: number }> {
    return this.open(this.#require(id).path)
  }

  async close(id: number): Promise<void> {
    const { path } = this.#require(id)
    const project = this.#open.get(id)
    this.#open.delete(id)
    this.#noteForgotten(this.#store.closed(id))
    for (const run of project?.runs.keys() ?? []) this.#noteRun(id, run)
    this.#noteProject(id)
    await this.#worker.close(id)
    this.#options.openings?.closed('project', path)
  }

  forget(id: number): void {
    this.#require(id)
    if (this.#open.has(id))
      throw new AppError('CONFLICT', 'An open project cannot be removed from the list.', { hint: 'Close it first.' })
    this.#store.forget(id)
    this.#noteProject(id)
  }

  folder(id: number): Output<'projects.folder'> {
    const { path } = this.#require(id)
    const folder = identifyFolder(path)
    const top = repositoryAround(folder.root)
    const isCovered = top === undefined || isInside(trustedAround(folder.root, this.#store.all), top)
    return {
      path,
      ...folder,
      isInRepository: top !== undefined,
      repositoryAbove: isCovered ? null : identifyFolder(top),
    }
  }

  async pathOf({ project, file }: Input<'projects.pathOf'>): Promise<Output<'projects.pathOf'>> {
    return { path: await locateFile(this.#requireOpen(project).root, file) }
  }

  setTrusted({ path, identity }: Input<'projects.setTrusted'>): { project: number } {
    if (identifyFolder(path).identity !== identity)
      throw new AppError('CONFLICT', `The folder ${path} was replaced while you were being asked.`, {
        hint: 'Check what is there now, then trust it again.',
      })
    const { id: project, forgotten } = this.#store.trust(path, identity, Date.now())
    this.#noteForgotten(forgotten)
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

  /** @throws AppError FORBIDDEN when the project is restricted */
  requireTrusted(id: number, folder = ''): TrustedFolder {
    return requireTrusted(this.#require(id), folder, this.#store.all)
  }

  requireTrustedFolder(path: string): TrustedFolder {
    for (const stored of this.#store.all) {
      if (stored.trustedAs === null) continue
      try {
        return requireTrusted(stored, path)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    }
    throw new AppError('FORBIDDEN', `The folder ${path} is restricted: Bridgedeck runs nothing there.`, {
      hint: 'Trust it with bridgedeck project trust, or when you approve the build command.',
    })
  }

  list(): Output<'projects.list'> {
    return {
      revision: this.#feed.revision,
      projects: this.#store.all.slice(0, MAX_LISTED_PROJECTS).map((stored) => this.#describe(stored)),
      formats: this.#options.formats.map(({ name }) => name),
    }
  }

  runs({ project: id, after }: Input<'projects.runs'>): Output<'projects.runs'> {
    const project = this.#requireOpen(id)
    const keys = [...project.runs.keys()].sort()
    const { page, next } = pageAfter(keys, after, MAX_RUN_PAGE, (one, other) =>
      one < other ? -1 : one > other ? 1 : 0,
    )
    return { revision: this.#feed.revision, runs: page.flatMap((key) => project.runs.get(key) ?? []), next }
  }

  runFolders(project: number): string[] {
    return [...new Set([...this.#requireOpen(project).runs.values()].map(({ folder }) => folder))]
  }

  folderOfRun({ project, run }: { readonly project: number; readonly run: string }): string {
    return this.#requireOpen(project).runs.get(run)?.folder ?? ''
  }

  /**
   * The folder of an open project, links resolved, and folder and key of the run with this loop place.
   * @throws AppError NOT_FOUND when it is not open, or has no such run
   */
  placeOfRun({
    project: id,
    system,
    place,
  }: {
    readonly project: number
    readonly system: System
    readonly place: string
  }): { root: string; folder: string; run: string } {
    const found = this.runOf({ project: id, system, place })
    if (!found)
      throw new AppError(
        'NOT_FOUND',
        `There is no ${system} run ${place === '' ? 'in the project’s own folder' : `in ${place}`}.`,
        { hint: 'Its files may have been moved or archived.' },
      )
    return { root: this.#requireOpen(id).root, folder: found.folder, run: found.key }
  }

  /** @throws AppError NOT_FOUND when the project is not open */
  runOf({ project, system, place }: Readonly<Record<'system' | 'place', string>> & { readonly project: number }) {
    return [...this.#requireOpen(project).runs.values()].find(
      (run) => run.system === system && loopPlace(run) === place && !run.archived,
    )
  }

  /** A batch of Maestro is no run: its agents work for the innermost session around it. */
  placeOfBatch({ project: id, place }: { readonly project: number; readonly place: string }): {
    root: string
    folder: string
    run: string
    memory: string
    shownIn: string | undefined
  } {
    const { root, runs, isRead } = this.#requireOpen(id)
    const [session] = [...runs.values()]
      .filter(({ system, folder, archived }) => system === 'maestro' && !archived && isBelow(folder, place))
      .sort((one, other) => other.folder.length - one.folder.length)
    if (!session && !isRead) throw new AppError('NOT_FOUND', 'The project is still being read.', { hint: 'Try again.' })
    const run = session?.key
    return {
      root,
      folder: session?.folder ?? '',
      run: run ?? `maestro:${place}`,
      memory: MAESTRO_BATCHES,
      shownIn: run,
    }
  }

  /**
   * Also a run that has moved since.
   * @throws AppError NOT_FOUND when its project is not open
   */
  runOfTurn(turn: AgentTurn): Run | undefined {
    return runOfTurn(turn, [...this.#requireOpen(turn.project).runs.values()])
  }

  namedAs(name: Readonly<Record<'system' | 'place', string>> & { readonly project: number }) {
    if (!this.#open.has(name.project)) return undefined
    const { runs } = this.#requireOpen(name.project)
    const isBatch = name.system === 'maestro' && !isMaestroSession(name.place)
    const shownIn = isBatch ? this.placeOfBatch(name).shownIn : undefined
    const run = shownIn === undefined ? this.runOf(name) : runs.get(shownIn)
    return run && { id: run.id.value, title: run.title.value }
  }

  /** @throws AppError NOT_FOUND when the project is not open */
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

  async settle(project: number): Promise<void> {
    this.#requireOpen(project)
    await this.#worker.ask('settle', { project })
  }

  reread(id: number, run: string): void {
    if (this.#open.has(id))
      this.#worker
        .ask('reread', { project: id, run })
        .catch((error: unknown) => this.#options.log('Could not read a run again', error))
  }

  /** The worker writes the values: this thread never waits for its transactions. */
  remember(id: number, runs: RememberedValues): void {
    if (this.#open.has(id))
      this.#worker
        .ask('remember', { project: id, runs })
        .catch((error: unknown) => this.#options.log('Could not remember what was notified', error))
  }

  /** To be called before a loop changes a file, and the returned function afterwards. */
  async announceWrite(project: number, change: FileChange): Promise<() => void> {
    const ask = async (isWritten: boolean): Promise<void> => {
      if (!this.#open.has(project)) return
      await this.#worker
        .ask('ownWrite', { project, change, isWritten })
        .catch((error: unknown) => this.#options.log('Could not note a write of a loop', error))
    }
    await ask(false)
    return () => void ask(true)
  }

  readonly #atWork = new Map<number, { readonly name: string }[]>()
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
    this.#feed.close()
    this.#open.clear()
    await this.#worker.end()
  }

  async #start(id: number, place: string): Promise<void> {
    this.#options.openings?.opening('project', place)
    this.#open.set(id, new ReportedProject())
    this.#noteProject(id)
    await this.#worker.open(id, place)
  }

  #take(id: number, changed: readonly Run[], removed: readonly string[]): void {
    const open = this.#open.get(id)
    if (!open) return
    for (const run of changed) {
      open.set(run)
      this.#noteRun(id, run.key)
    }
    if (changed.length > 0) this.#options.onRuns?.(id, changed, open.isRead)
    for (const run of removed) {
      open.remove(run)
      this.#noteRun(id, run)
    }
    if (changed.length > 0 || removed.length > 0) this.#noteProject(id)
  }

  #refuse(id: number, key: string, file: string): void {
    const open = this.#open.get(id)
    if (!open) return
    if (open.refuse(key, file)) this.#noteRun(id, key)
    this.#noteProject(id)
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

  #noteForgotten(projects: readonly number[]): void {
    for (const project of projects) this.#noteProject(project)
  }

  #noteProject(project: number): void {
    this.#feed.note(`${project}`, { project, run: null })
  }

  #noteRun(project: number, run: string): void {
    this.#feed.note(`${project} ${run}`, { project, run })
  }

  #send({ from, revision, items }: Changes<Changed>): void {
    const event: Payload<'projects.changed'> = { from, revision, projects: [], forgotten: [], runs: [], removed: [] }
    for (const { project, run } of items) {
      if (run === null) {
        const stored = this.#store.get(project)
        if (stored) event.projects.push(this.#describe(stored))
        else event.forgotten.push(project)
      } else {
        const known = this.#open.get(project)?.runs.get(run)
        if (known) event.runs.push({ project, run: known })
        else event.removed.push({ project, run })
      }
    }
    this.#options.onChanged(event)
  }

  #describe(stored: StoredProject): Project {
    const open = this.#open.get(stored.id)
    const whyClosed = open ? undefined : this.#options.openings?.whyClosed('project', stored.path)
    return describeProject(stored, open, whyClosed?.message)
  }
}

const isBelow = (folder: string, place: string): boolean => folder === '' || place.startsWith(`${folder}/`)
