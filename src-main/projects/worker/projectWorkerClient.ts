/** Starts the worker when a project is opened, and again when it ended or got stuck. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Payload } from '@shared/contract/contract'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Run } from '@shared/contract/orchestration'
import { startWorker, type RunningWorker, type WorkerEvents } from '../../rpc/startWorker'
import {
  projectProtocol,
  type ProjectChannel,
  type Reading,
  type RequestInput,
  type RequestName,
  type RequestOutput,
  type Summary,
} from './messages'

const READING_LIMIT_MS = 20_000

const RESTART_DELAY_MS = 1_000

const REVISIONS_PER_WORKER = 1_000_000

export type StartProjectWorker = (events: WorkerEvents<ProjectChannel>) => RunningWorker<ProjectChannel>

export const startProjectWorker =
  (path: string, databasePath: string): StartProjectWorker =>
  (events) =>
    startWorker(projectProtocol, path, { ...events, endsItself: true, workerOptions: { workerData: databasePath } })

interface ProjectWorkerClientOptions {
  readonly start: StartProjectWorker
  readonly onSummary: (
    project: number,
    reported: { readonly root: string; readonly identity: string | null; readonly summary: Summary },
  ) => void
  readonly onRuns: (project: number, changed: readonly Run[], removed: readonly string[]) => void
  readonly onRefused: (project: number, run: string, file: string) => void
  /** A restarted worker will report all runs of the project again. */
  readonly onLost: (project: number) => void
  readonly onLoaded: (project: number) => void
  readonly onOverwritten: (event: Payload<'projects.overwritten'>) => void
  readonly onEdited: (event: Payload<'projects.edited'>) => void
  readonly log: (message: string, error?: unknown) => void
  /** ms for reading one run. */
  readonly limit?: number
}

export class ProjectWorkerClient {
  readonly #options: ProjectWorkerClientOptions
  readonly #wanted = new Map<number, string>()
  readonly #opening = new Set<number>()
  readonly #avoid: Reading[] = []
  #worker: RunningWorker<ProjectChannel> | undefined
  #workers = 0
  #reading: Reading | undefined
  #watchdog: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ProjectWorkerClientOptions) {
    this.#options = options
  }

  /** Resolves when all runs of the project were reported, also by a restarted worker. */
  open(project: number, place: string): Promise<void> {
    this.#wanted.set(project, place)
    return this.#open(project)
  }

  async close(project: number): Promise<void> {
    this.#wanted.delete(project)
    if (this.#worker) await this.ask('close', { project })
  }

  /** @throws AppError what the worker refuses with, LOST when it ends, CANCELLED when the signal aborts */
  ask<Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
    signal?: AbortSignal,
  ): Promise<RequestOutput<Name>> {
    this.#worker ??= this.#start()
    return this.#worker.call(name, input, { signal })
  }

  async end(): Promise<void> {
    this.#isClosed = true
    this.#wanted.clear()
    clearTimeout(this.#watchdog)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.end(new AppError('LOST', 'The project reader was stopped.'))
  }

  async #open(project: number): Promise<void> {
    if (this.#opening.has(project)) return
    this.#opening.add(project)
    try {
      for (let place = this.#wanted.get(project); place !== undefined; place = this.#wanted.get(project)) {
        const avoid = this.#avoid
          .filter((reading) => reading.project === project)
          .map(({ run, version }) => ({ run, version }))
        try {
          await this.ask('open', { project, place, firstRevision: this.#workers * REVISIONS_PER_WORKER, avoid })
          this.#options.onLoaded(project)
          return
        } catch (error) {
          if (toFailure(error).code !== 'LOST') throw error
        }
      }
    } finally {
      this.#opening.delete(project)
    }
  }

  #start(): RunningWorker<ProjectChannel> {
    const { onSummary, onRuns, onRefused, onOverwritten, onEdited, log } = this.#options
    this.#workers++
    return this.#options.start({
      lossHint: 'Try again.',
      onMessage: () => this.#noteProgress(),
      onLost: (error) => this.#restart(error.message),
      onFault: log,
      notices: {
        overwritten: onOverwritten,
        edited: onEdited,
        summary: (notice) => onSummary(notice.project, notice),
        runs: ({ project, changed, removed }) => onRuns(project, changed, removed),
        refused: ({ project, run, file }) => onRefused(project, run, file),
        log: ({ message, error }) => log(message, error ?? undefined),
        reading: (reading) => this.#watch(reading),
      },
    })
  }

  #noteProgress(): void {
    clearTimeout(this.#watchdog)
    this.#reading = undefined
  }

  #watch(reading: Reading): void {
    const { limit = READING_LIMIT_MS } = this.#options
    this.#reading = reading
    this.#watchdog = setTimeout(() => {
      const worker = this.#worker
      this.#restart(`no progress for ${limit / 1_000} s`)
      void worker?.end(new AppError('LOST', 'The project reader was restarted.', { hint: 'Try again.' }))
    }, limit)
  }

  /** The run that it was reading is not read again; everything else is. */
  #restart(reason: string): void {
    const culprit = this.#reading
    this.#noteProgress()
    this.#worker = undefined
    if (culprit) this.#avoid.push(culprit)
    if (this.#isClosed) return
    this.#options.log(`Restarting the project reader: ${reason}${culprit ? `, at ${culprit.run}` : ''}`)
    for (const project of this.#wanted.keys()) {
      this.#options.onLost(project)
      const reopen = async () => {
        if (!culprit) await wait(RESTART_DELAY_MS)
        await this.#open(project)
      }
      reopen().catch((error: unknown) => this.#options.log('Could not open a project again', error))
    }
  }
}
