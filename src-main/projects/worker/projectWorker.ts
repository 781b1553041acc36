import { existsSync } from 'node:fs'
import { inspect } from 'node:util'
import { runWorktree } from '@shared/worktree'
import { AppError } from '@shared/contract/errors'
import { withinWorktree } from '../../git/worktree'
import type { Notify, RequestHandlers } from '../../rpc/protocol'
import type { ServingEnd } from '../../rpc/serveWorker'
import { Edits } from '../edits/edits'
import { createEditHandlers } from '../edits/handlers'
import { isUnreadable } from '../../formats/text/stateFile'
import type { Restorable } from '../edits/restoreVersion'
import { describeRun, type KnownFiles } from '../read/describeRun'
import { movedRecords } from '../read/movedRecords'
import { needsOf } from '../read/unreadableNeeds'
import { createRunHandlers } from '../read/handlers'
import type { WatchFolder } from '../watch/folderWatch'
import type { Format } from '../../formats/format'
import type { RunOnDisk } from '../read/readRun'
import { JournalWriter } from '../journal/journalWriter'
import { OpenProject } from '../watch/openProject'
import type { OpenRun } from '../watch/openRun'
import type { Observed } from '../watch/sightings'
import type { FileVersion } from '../read/projectDisk'
import { createCommitHandlers } from '../read/commitHandlers'
import { commitFindings, commitNames } from '../read/commits'
import { requireTrusted } from '../trust'
import type { Database } from '../../storage/database'
import { Journal } from '../../storage/journal'
import { ProjectStore } from '../../storage/projects'
import { SidecarStore } from '../../storage/sidecar'
import { CommitChecker } from '../read/commitChecker'
import { History } from '../journal/history'
import { createJournalHandlers } from '../journal/handlers'
import type { OpenInput, OwnRequest, ProjectChannel } from './messages'
import { search } from '../search'
import { Writers } from '../journal/writers'

export interface ProjectWorkerOptions {
  readonly database: Database
  readonly formats: readonly Format[]
  readonly notify: Notify<ProjectChannel>
  readonly watchFolder?: WatchFolder
}

export class ProjectWorker implements ServingEnd<ProjectChannel> {
  readonly #options: ProjectWorkerOptions
  readonly #journal: Journal
  readonly #journalWriter: JournalWriter
  readonly #sidecar: SidecarStore
  readonly #notices: SidecarStore
  readonly #history: History
  readonly #writers: Writers
  readonly #edits: Edits
  readonly #commits: CommitChecker
  readonly #looks = new Map<string, number>()
  readonly #projects = new Map<number, OpenProject>()
  readonly posts = {}
  readonly onFault = (command: string, error: unknown): void => this.#log(`${command} failed`, error)
  readonly requests: RequestHandlers<ProjectChannel>

  constructor(options: ProjectWorkerOptions) {
    this.#options = options
    this.#journal = new Journal(options.database)
    this.#sidecar = new SidecarStore(options.database, (project, run) => this.#projects.get(project)?.reread(run))
    this.#notices = new SidecarStore(options.database)
    this.#history = new History(options.database, options.formats)
    this.#writers = new Writers(this.#journal)
    this.#journalWriter = new JournalWriter(options.database, this.#journal, this.#writers)
    const projects = new ProjectStore(options.database)
    const trusted = (project: number, folder: string) => {
      const stored = projects.get(project)
      if (!stored) throw new AppError('FORBIDDEN', 'This project is no longer on the list.')
      return requireTrusted(stored, folder, projects.all)
    }
    this.#edits = new Edits({
      database: options.database,
      sidecar: this.#sidecar,
      placeOf: (project, run) => requirePlace(this.#require(project), run),
      folderOf: (project, run) => {
        const open = this.#require(project)
        const format = options.formats.find(({ name }) => run.startsWith(`${name}:`))
        return { root: open.root, isStrict: format?.hasStrictWrites ?? false, remembered: open.rememberedOf(run) }
      },
      trusted,
      restorable: (project, run) => this.#restorable(project, run),
      onWritten: (project, file, hash) => {
        this.#writers.expect(project, file, hash, 'bridgedeck')
        this.#projects.get(project)?.writerKnown(file, hash, 'bridgedeck')
      },
      writerOf: (project, file, hash) => this.#writers.of(project, file, hash),
      onOverwritten: (event) => options.notify('overwritten', event),
      onEdited: (event) => options.notify('edited', event),
      log: (message, error) => this.#log(message, error),
    })
    this.#commits = new CommitChecker({
      trusted,
      onChanged: (project, run) => {
        this.#looks.set(`${project} ${run}`, (this.#looks.get(`${project} ${run}`) ?? 0) + 1)
        this.#notifyRuns(project, [run], [])
      },
      log: (message, error) => this.#log(message, error),
    })
    this.requests = {
      ...this.#ownRequests,
      ...createRunHandlers((project, run, at) => this.#findRun(project, run, at)),
      ...createJournalHandlers({
        journal: this.#journal,
        history: this.#history,
        requireOpen: (project) => this.#require(project),
      }),
      ...createCommitHandlers((project, run) => {
        const open = this.#require(project)
        const at = trusted(project, requireRun(open, run).view.folder)
        const worktree = runWorktree(open.rememberedOf(run))
        return worktree && existsSync(worktree.root) ? withinWorktree(at, worktree) : at
      }),
      ...createEditHandlers(this.#edits),
      'projects.search': ({ text, after }, signal) => search(this.#projects, text, after, signal),
    }
  }

  get #ownRequests(): Pick<RequestHandlers<ProjectChannel>, OwnRequest> {
    return {
      open: async (input) => {
        await this.#open(input)
        return {}
      },
      close: async ({ project }) => {
        const open = this.#projects.get(project)
        this.#projects.delete(project)
        this.#commits.unwatchProject(project)
        await open?.close()
        return {}
      },
      settle: async ({ project }) => {
        await this.#projects.get(project)?.settle()
        return {}
      },
      reread: ({ project, run }) => {
        this.#projects.get(project)?.reread(run)
        return {}
      },
      remember: ({ project, runs }) => {
        this.#notices.rememberAll(project, runs)
        return {}
      },
      trustChanged: ({ project }) => {
        this.#commits.recheck(project)
        return {}
      },
      ownWrite: ({ project, change, isWritten }) => {
        this.#edits.ownWrite(project, change, isWritten)
        return {}
      },
      agents: ({ project, names }) => {
        this.#writers.atWork(project, names)
        return {}
      },
    }
  }

  async close(): Promise<void> {
    // The project must still be open: closing merges what another program wrote at the same moment.
    await this.#edits.close()
    const all = [...this.#projects.values()]
    this.#projects.clear()
    await this.#commits.close()
    await Promise.all(all.map((project) => project.close()))
  }

  async #open({ project: id, place, firstRevision, avoid }: OpenInput): Promise<void> {
    const { formats, notify, watchFolder } = this.#options
    this.#journal.prune(id)
    const avoided = new Set(avoid.map(({ run, version }) => `${version} ${run}`))
    let identity: string | null = null
    const project: OpenProject = new OpenProject({
      place,
      formats,
      firstRevision,
      ...(watchFolder ? { watchFolder } : {}),
      log: (message, error) => this.#log(message, error),
      lastHash: (file) => this.#journal.lastSeen(id, file)?.hash ?? undefined,
      writerOf: (file, hash) => this.#writers.lastOf(id, file, hash),
      mayRead: (run, version) => {
        if (avoided.has(`${version} ${run}`)) return false
        notify('reading', { project: id, run, version })
        return true
      },
      remembered: (run) => this.#sidecar.all(id, run),
      onRefused: (run, file) => notify('refused', { project: id, run, file }),
      onProject: () => {
        notify('summary', {
          project: id,
          root: project.root,
          identity: project.identity,
          summary: project.summary,
        })
        if (identity !== project.identity) this.#commits.recheck(id)
        identity = project.identity
      },
      onRuns: (changed, removed) => {
        for (const key of changed) this.#lookForCommits(id, key)
        for (const key of removed) this.#commits.unwatch(id, key)
        this.#followRuns(id, project)
        this.#notifyRuns(id, changed, removed)
        notify('summary', {
          project: id,
          root: project.root,
          identity: project.identity,
          summary: project.summary,
        })
      },
      onObserved: (changes, versions) => {
        this.#write(id, changes, versions)
        this.#edits.filesChanged(id, new Set(changes.map(({ file }) => file)))
      },
    })
    this.#projects.set(id, project)
    notify('summary', { project: id, root: project.root, identity: project.identity, summary: project.summary })
    await project.open()
  }

  /** What is remembered of a moved run follows it before anybody is told of the run. */
  #followRuns(id: number, project: OpenProject): void {
    const owners = this.#sidecar.owners(id)
    if (owners.size === 0) return
    const runs = project.keys.map((key) => ({ key, id: project.run(key)?.view.id.value ?? null }))
    for (const { from, to } of movedRecords(runs, owners)) this.#sidecar.move(id, from, to)
  }

  #notifyRuns(project: number, changed: readonly string[], removed: readonly string[]): void {
    const open = this.#projects.get(project)
    const runs = changed.flatMap((key) => open?.run(key) ?? []).map((run) => describeRun(this.#known(project, run)))
    this.#options.notify('runs', { project, changed: runs, removed: [...removed] })
  }

  #lookForCommits(project: number, key: string): void {
    const run = this.#projects.get(project)?.run(key)
    if (run) this.#commits.watch({ project, run: key, folder: run.view.folder, names: commitNames(run.view) })
  }

  #known(project: number, run: OpenRun): OpenRun {
    const looks = this.#looks.get(`${project} ${run.key}`) ?? 0
    const before = this.#knownRuns.get(run)
    if (before?.looks === looks) return before.known
    const commitStates = this.#commits.statesOf(project, run.view.folder)
    const known = {
      ...run,
      commitStates,
      findings: [...run.findings, ...commitFindings(run.view, commitStates)],
      revision: run.revision + looks,
    }
    this.#knownRuns.set(run, { looks, known })
    return known
  }
  readonly #knownRuns = new WeakMap<OpenRun, { readonly looks: number; readonly known: OpenRun }>()

  #write(project: number, changes: readonly Observed[], versions: readonly FileVersion[]): void {
    try {
      this.#journalWriter.write(project, changes, versions)
    } catch (error) {
      this.#log('Could not write a project’s changes into the journal', error)
    }
  }

  #require(id: number): OpenProject {
    const project = this.#projects.get(id)
    if (!project)
      throw new AppError('NOT_FOUND', 'This project is not open.', { hint: 'Choose it in the list of projects.' })
    return project
  }

  async #findRun(project: number, key: string, at: number | undefined): Promise<KnownFiles> {
    const open = this.#require(project)
    if (at === undefined) return this.#known(project, requireRun(open, key))
    // Old files are read by the same readers, and may take as long.
    this.#options.notify('reading', { project, run: key, version: `at ${at}` })
    return this.#history.runAt(open, project, key, at)
  }

  async #restorable(project: number, key: string): Promise<Restorable[]> {
    const open = this.#require(project)
    const run = open.run(key)
    const found: Restorable[] = []
    for (const { kind, source } of run ? needsOf(run) : []) {
      if (kind !== 'unreadable' || found.some((other) => other.source.file === source.file)) continue
      const isTorn = run?.findings.some((finding) => finding.file === source.file && isUnreadable(finding))
      if (!isTorn && run?.stale?.file !== source.file) continue
      const version = await this.#history.lastGood(requirePlace(open, key), project, source.file)
      if (version) found.push({ source, version })
    }
    return found
  }

  #log(message: string, error?: unknown): void {
    this.#options.notify('log', { message, error: error === undefined ? null : inspect(error) })
  }
}

function requireRun(project: OpenProject, key: string): OpenRun {
  const run = project.run(key)
  if (!run) throw noRun()
  return run
}

function requirePlace(project: OpenProject, key: string): RunOnDisk {
  const place = project.placeOf(key)
  if (!place) throw noRun()
  return place
}

const noRun = (): AppError =>
  new AppError('NOT_FOUND', 'This run no longer exists.', {
    hint: 'Its files were moved or deleted. The project’s journal has its history.',
  })
