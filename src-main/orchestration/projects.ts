/** The projects that are open: what is told of them, and when it changed. */
import { basename, isAbsolute } from 'node:path'
import type { Input, Output, Payload } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { LONGEST_JOURNAL_PAGE, LONGEST_LINE, LONGEST_ROW_PAGE, LONGEST_RUN_PAGE, type Project, type Run } from '@shared/contract/orchestration'
import type { Database } from '../storage/database'
import { Journal } from '../storage/journal'
import { ProjectStore, type StoredProject } from '../storage/projects'
import { describeGraph, describeLists, describeRows, describeRun, type KnownRun } from './describeRun'
import type { WatchFolder } from './folderWatch'
import type { Format } from './format'
import { OpenProject, type Observed } from './openProject'
import { describeFolderError, identityOf, stampOf } from './projectDisk'
import { readStateFile } from './projectFiles'
import type { System } from './run'

type Changes = Payload<'projects.changed'>

export interface ProjectsOptions {
  readonly database: Database
  readonly formats: readonly Format[]
  readonly onChanged: (changes: Changes) => void
  readonly log: (message: string, error?: unknown) => void
  /** For tests, whose watcher may be deaf. */
  readonly watchFolder?: WatchFolder
}

/** Changes within this time go out together, ms. */
const QUIET = 30

/** Lines before and after the one that was asked for. */
const LINES_AROUND = 1_000
const LONGEST_SHOWN = 200_000

export class Projects {
  readonly #options: ProjectsOptions
  readonly #store: ProjectStore
  readonly #journal: Journal
  readonly #open = new Map<number, OpenProject>()
  #revision = 0
  #changed = { projects: new Set<number>(), forgotten: new Set<number>(), runs: new Map<string, { project: number; run: string }>(), removed: new Map<string, { project: number; run: string }>() }
  #telling: NodeJS.Timeout | undefined

  constructor(options: ProjectsOptions) {
    this.#options = options
    this.#store = new ProjectStore(options.database)
    this.#journal = new Journal(options.database)
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
    for (const run of project?.keys ?? []) this.#noteRemoved(id, run)
    this.#noteProject(id)
    await project?.close()
  }

  forget(id: number): void {
    this.#require(id)
    if (this.#open.has(id)) throw new AppError('CONFLICT', 'An open project stays on the list.', { hint: 'Close it first.' })
    this.#store.forget(id)
    this.#changed.forgotten.add(id)
    this.#tellSoon()
  }

  list(): Output<'projects.list'> {
    return {
      revision: this.#revision,
      projects: this.#store.all.slice(0, 200).map((stored) => this.#describe(stored)),
      formats: this.#options.formats.map(({ name }) => name),
    }
  }

  runs({ project: id, after }: Input<'projects.runs'>): Output<'projects.runs'> {
    const project = this.#requireOpen(id)
    const { keys } = project
    const from = after === null ? 0 : keys.findIndex((key) => key > after)
    const page = from < 0 ? [] : keys.slice(from, from + LONGEST_RUN_PAGE)
    const runs = page.flatMap((key) => this.#view(project, key) ?? [])
    return { revision: this.#revision, runs, next: from + page.length < keys.length ? (page.at(-1) ?? null) : null }
  }

  run({ project: id, run: key }: Input<'projects.run'>): Output<'projects.run'> {
    const project = this.#requireOpen(id)
    const run = requireRun(project, key)
    return { run: describeRun(run), ...describeLists(run, project.filesOf(key)) }
  }

  rows({ project: id, run: key, from, most = LONGEST_ROW_PAGE }: Input<'projects.rows'>): Output<'projects.rows'> {
    const run = requireRun(this.#requireOpen(id), key)
    const rows = this.#rowsOf(run)
    return { revision: run.revision, rows: rows.slice(from, from + most), total: rows.length }
  }

  graph({ project: id, run: key }: Input<'projects.graph'>): Output<'projects.graph'> {
    return describeGraph(requireRun(this.#requireOpen(id), key))
  }

  async file({ project: id, file, line }: Input<'projects.file'>): Promise<Output<'projects.file'>> {
    const { root } = this.#requireOpen(id)
    if (isAbsolute(file) || file.split(/[/\\]/).includes('..')) throw outside(file)
    const { text, modifiedAt, findings } = await readStateFile(root, file)
    if (text === null) {
      const [problem] = findings
      if (problem?.rule === 'project/outside') throw outside(file)
      if ((await stampOf(root, file)) === '') throw new AppError('NOT_FOUND', `There is no file ${file} in the project.`)
      throw new AppError('INVALID', `${file} cannot be shown: it is ${problem?.found ?? 'no text'}, not ${problem?.expected ?? 'text'}.`, { hint: 'Open it with another program.' })
    }
    const lines = text.split('\n')
    const first = Math.max(0, Math.min(line, lines.length) - 1 - LINES_AROUND)
    const part = lines.slice(first, first + 2 * LINES_AROUND + 1).join('\n')
    return { firstLine: first + 1, text: part.slice(0, LONGEST_SHOWN), lines: lines.length, size: Buffer.byteLength(text), writtenAt: modifiedAt }
  }

  /** The folder of an open project, links resolved. @throws AppError NOT_FOUND when it is not open, or has no such run */
  rootOfRun({ project: id, system, folder }: { readonly project: number; readonly system: System; readonly folder: string }): string {
    const project = this.#requireOpen(id)
    const isThere = project.keys.some((key) => {
      const view = project.run(key)?.view
      return view?.system === system && view.folder === folder && !view.archived
    })
    if (!isThere) throw new AppError('NOT_FOUND', `There is no ${system} run ${folder === '' ? 'in the project’s own folder' : `in ${folder}`}.`, { hint: 'Its files may have been moved or archived.' })
    return project.root
  }

  journal({ project, run, before }: Input<'projects.journal'>): Output<'projects.journal'> {
    this.#require(project)
    const entries = this.#journal.page(project, run, before, LONGEST_JOURNAL_PAGE)
    return { entries, next: entries.length === LONGEST_JOURNAL_PAGE ? (entries.at(-1)?.entry ?? null) : null }
  }

  async closeAll(): Promise<void> {
    clearTimeout(this.#telling)
    await Promise.all([...this.#open.values()].map((project) => project.close()))
    this.#open.clear()
  }

  #parts(id: number) {
    const { log, watchFolder } = this.#options
    return {
      log,
      ...(watchFolder ? { watchFolder } : {}),
      onProject: () => this.#noteProject(id),
      onRuns: (changed: readonly string[], removed: readonly string[]) => {
        for (const run of changed) this.#noteRun(id, run)
        for (const run of removed) this.#noteRemoved(id, run)
        if (removed.length > 0 || changed.length > 0) this.#noteProject(id)
      },
      onObserved: (changes: readonly Observed[]) => this.#write(id, changes),
      lastHash: (file: string) => this.#journal.lastHash(id, file),
    }
  }

  async #start(id: number, place: string): Promise<void> {
    this.#journal.prune(id)
    const project = new OpenProject({ ...this.#parts(id), place, formats: this.#options.formats })
    this.#open.set(id, project)
    this.#noteProject(id)
    await project.open()
  }

  #write(project: number, changes: readonly Observed[]): void {
    const time = Date.now()
    const cut = (text: string | null) => (text === null ? null : text.slice(0, LONGEST_LINE))
    try {
      this.#journal.add(
        changes.map(({ run, file, kind, field, from, to, hash }) => ({
          time,
          project,
          run,
          file: file.slice(0, 1000),
          kind,
          field: field === null ? null : field.slice(0, 1000),
          from: cut(from),
          to: cut(to),
          hash,
        })),
      )
    } catch (error) {
      this.#options.log('What changed in a project could not be written into the journal', error)
    }
  }

  #require(id: number): StoredProject {
    const stored = this.#store.get(id)
    if (!stored) throw new AppError('NOT_FOUND', 'This project is not on the list any more.', { hint: 'Open its folder again.' })
    return stored
  }

  #requireOpen(id: number): OpenProject {
    const { path } = this.#require(id)
    const project = this.#open.get(id)
    if (!project) throw new AppError('NOT_FOUND', `The project ${basename(path)} is not open.`, { hint: 'Choose it in the list of projects.' })
    return project
  }

  #describe({ id, path, openedAt }: StoredProject): Project {
    const shown = this.#open.get(id)?.summary ?? {
      name: basename(path).slice(0, 300) || path.slice(0, 300),
      place: path.slice(0, 4096),
      state: 'closed' as const,
      watch: 'none' as const,
      problems: [],
      runs: 0,
      files: 0,
    }
    return { project: id, openedAt, ...shown }
  }

  #view(project: OpenProject, key: string): Run | undefined {
    const run = project.run(key)
    return run && describeRun(run)
  }

  /** Of the run that was asked for last: the window asks for page after page of it. */
  #rows: { of: KnownRun; rows: ReturnType<typeof describeRows> } | undefined
  #rowsOf(run: KnownRun): ReturnType<typeof describeRows> {
    if (this.#rows?.of !== run) this.#rows = { of: run, rows: describeRows(run.view) }
    return this.#rows.rows
  }

  #noteProject(id: number): void {
    this.#changed.projects.add(id)
    this.#tellSoon()
  }

  #noteRun(project: number, run: string): void {
    this.#changed.removed.delete(`${project} ${run}`)
    this.#changed.runs.set(`${project} ${run}`, { project, run })
    this.#tellSoon()
  }

  #noteRemoved(project: number, run: string): void {
    this.#changed.runs.delete(`${project} ${run}`)
    this.#changed.removed.set(`${project} ${run}`, { project, run })
    this.#tellSoon()
  }

  #tellSoon(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined
      this.#tell()
    }, QUIET)
  }

  #tell(): void {
    const { projects, forgotten, runs, removed } = this.#changed
    this.#changed = { projects: new Set(), forgotten: new Set(), runs: new Map(), removed: new Map() }
    const changedRuns = [...runs.values()].flatMap(({ project, run }) => {
      const open = this.#open.get(project)
      const view = open && this.#view(open, run)
      return view ? [{ project, run: view }] : []
    })
    const removedRuns = [...removed.values()]
    const changedProjects = [...projects].flatMap((id) => {
      const stored = this.#store.get(id)
      return stored ? [this.#describe(stored)] : []
    })
    // Several where one would be too large; the first has the projects.
    for (let part = 0; part === 0 || part * LONGEST_RUN_PAGE < Math.max(changedRuns.length, removedRuns.length); part++) {
      const slice = <T>(list: readonly T[]): T[] => list.slice(part * LONGEST_RUN_PAGE, (part + 1) * LONGEST_RUN_PAGE)
      this.#options.onChanged({
        from: this.#revision,
        revision: ++this.#revision,
        projects: part === 0 ? changedProjects.slice(0, 200) : [],
        forgotten: part === 0 ? [...forgotten].slice(0, 200) : [],
        runs: slice(changedRuns),
        removed: slice(removedRuns),
      })
    }
  }
}

function requireRun(project: OpenProject, key: string): KnownRun {
  const run = project.run(key)
  if (!run) throw new AppError('NOT_FOUND', 'This run is not there any more.', { hint: 'Its files were moved or deleted; the journal of the project has what was seen of it.' })
  return run
}

const outside = (file: string): AppError =>
  new AppError('FORBIDDEN', `${file} is not inside the project.`, { hint: 'Bridgedeck reads nothing outside the folder that you opened.' })
