/** The bridge's end of the worker that follows projects: started when one is opened, and again when it ended or got stuck. */
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Payload } from '@shared/contract/contract'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Run } from '@shared/contract/orchestration'
import { fromBridgeSchema } from '../../bridge/messages'
import { Caller } from '../../rpc/caller'
import {
  noticeSchema,
  orderTable,
  type Notice,
  type OrderInput,
  type OrderName,
  type OrderOutput,
  type Summary,
} from './messages'

/** How long reading one run may take, ms. */
const LIMIT = 20_000

/** Before a worker is started in the place of one that ended for no reason that is known, ms. */
const PAUSE = 1_000

/** Revisions of a run that one worker can count. */
const REVISIONS = 1_000_000

export interface ProjectWorkerLine {
  post(message: unknown): void
  end(): Promise<void>
}

/** Starts the worker's side. `onEnd` is called once, also when it was ended from here. */
export type StartProjectWorker = (
  onMessage: (message: unknown) => void,
  onEnd: (reason: string) => void,
) => ProjectWorkerLine

/** @param path the built program of the worker */
export const startProjectWorker =
  (path: string, databasePath: string): StartProjectWorker =>
  (onMessage, onEnd) => {
    const worker = new Worker(path, { workerData: { databasePath } })
    let lastWords = 'it ended'
    worker.on('message', onMessage)
    worker.on('error', (error: unknown) => (lastWords = toFailure(error).message))
    worker.on('exit', () => onEnd(lastWords))
    return {
      post: (message) => worker.postMessage(message),
      end: async () => {
        await worker.terminate()
      },
    }
  }

interface ProjectWorkerClientOptions {
  readonly start: StartProjectWorker
  readonly onSummary: (
    project: number,
    told: { readonly root: string; readonly identity: string | null; readonly summary: Summary },
  ) => void
  readonly onRuns: (project: number, changed: readonly Run[], removed: readonly string[]) => void
  /** A run of which reading was given up: its last good version is all that there is. */
  readonly onRefused: (project: number, run: string, file: string) => void
  /** A worker that knows none of its runs will tell of a project anew. */
  readonly onLost: (project: number) => void
  /** All runs of a project were told of. */
  readonly onLoaded: (project: number) => void
  readonly onOverwritten: (event: Payload<'projects.overwritten'>) => void
  readonly onEdited: (event: Payload<'projects.edited'>) => void
  readonly log: (message: string, error?: unknown) => void
  /** How long reading one run may take, ms. */
  readonly limit?: number
}

type Reading = Extract<Notice, { notice: 'reading' }>

export class ProjectWorkerClient {
  readonly #options: ProjectWorkerClientOptions
  readonly #calls = new Caller((message) => {
    this.#line ??= this.#start()
    this.#line.post(message)
  })
  readonly #wanted = new Map<number, string>()
  readonly #opening = new Set<number>()
  /** Versions of runs that no worker came to an end with. */
  readonly #avoid: Reading[] = []
  #line: ProjectWorkerLine | undefined
  #workers = 0
  #reading: Reading | undefined
  #watchdog: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ProjectWorkerClientOptions) {
    this.#options = options
  }

  /** Resolves when all runs of the project were told of, whatever happens to the worker meanwhile. */
  open(project: number, place: string): Promise<void> {
    this.#wanted.set(project, place)
    return this.#open(project)
  }

  async close(project: number): Promise<void> {
    this.#wanted.delete(project)
    if (this.#line) await this.ask('close', { project })
  }

  /** @throws AppError what the worker refuses with, LOST when it ends, CANCELLED when the signal aborts */
  async ask<Name extends OrderName>(
    name: Name,
    input: OrderInput<Name>,
    signal?: AbortSignal,
  ): Promise<OrderOutput<Name>> {
    return orderTable[name].output.parse(await this.#calls.call(name, input, { signal }))
  }

  async end(): Promise<void> {
    this.#isClosed = true
    this.#wanted.clear()
    // Files that are being watched are let go of first.
    await this.#line?.end()
    this.#lost('Bridgedeck ends')
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
          await this.ask('open', { project, place, firstRevision: this.#workers * REVISIONS, avoid })
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

  #start(): ProjectWorkerLine {
    this.#workers++
    const line = this.#options.start(
      (message) => {
        if (line === this.#line) this.#take(message)
      },
      (reason) => {
        if (line === this.#line) this.#lost(reason)
      },
    )
    return line
  }

  #take(message: unknown): void {
    clearTimeout(this.#watchdog)
    this.#reading = undefined
    const reply = fromBridgeSchema.safeParse(message).data
    if (reply?.kind === 'reply') {
      this.#calls.settle(reply)
      return
    }
    const { onSummary, onRuns, onRefused, onOverwritten, onEdited, log, limit = LIMIT } = this.#options
    const notice = noticeSchema.parse(message)
    switch (notice.notice) {
      case 'overwritten':
        onOverwritten(notice.event)
        break
      case 'edited':
        onEdited(notice.event)
        break
      case 'summary':
        onSummary(notice.project, notice)
        break
      case 'runs':
        onRuns(notice.project, notice.changed, notice.removed)
        break
      case 'refused':
        onRefused(notice.project, notice.run, notice.file)
        break
      case 'log':
        log(notice.message, notice.error ?? undefined)
        break
      case 'reading':
        this.#reading = notice
        this.#watchdog = setTimeout(() => void this.#line?.end(), limit)
    }
  }

  /** Whatever it was at is not tried again; everything else is. */
  #lost(reason: string): void {
    clearTimeout(this.#watchdog)
    const culprit = this.#reading
    this.#reading = undefined
    this.#line = undefined
    if (culprit) this.#avoid.push(culprit)
    if (!this.#isClosed)
      this.#options.log(`The reading of projects starts afresh: ${reason}${culprit ? `, at ${culprit.run}` : ''}`)
    this.#calls.rejectAll(new AppError('LOST', 'The reading of projects was started again.', { hint: 'Try again.' }))
    for (const project of this.#wanted.keys()) {
      this.#options.onLost(project)
      const again = async () => {
        if (!culprit) await wait(PAUSE)
        await this.#open(project)
      }
      again().catch((error: unknown) => this.#options.log('A project could not be opened again', error))
    }
  }
}
