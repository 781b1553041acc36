import { access, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError, toFailure } from '@shared/contract/errors'
import type { RecordingSummary } from '@shared/contract/recorder'
import { expired, type Retention } from './retention'
import type { Recorder, Recording } from './recorder'
import type { Openings } from '../storage/quarantine'

export interface RecordedTask {
  readonly id: string
  readonly name: string
  readonly folder: string
  readonly running: boolean
}

interface CatalogOptions {
  readonly recorder: Recorder
  readonly tasks: {
    recorded(): Promise<readonly RecordedTask[]>
    recordedOne(id: string): Promise<RecordedTask | undefined>
    note(id: string, line: string): Promise<void>
  }
  readonly retention: () => Retention
  readonly openings?: Openings
  readonly log: (message: string, error?: unknown) => void
}

interface RecordingFile {
  readonly recording: string
  readonly name: string
  readonly path: string
  readonly open: boolean
}

export const RECORDING_FILE = 'recording.sqlite'

export class RecordingCatalog {
  readonly #options: CatalogOptions

  constructor(options: CatalogOptions) {
    this.#options = options
  }

  /** Applies retention first. @throws AppError as `Recorder.open` does */
  async open(folder: string): Promise<Recording> {
    await this.#applyRetention()
    const { recorder, openings } = this.#options
    const recording = basename(folder)
    openings?.opening('recording', recording)
    const open = await recorder.open(join(folder, RECORDING_FILE))
    openings?.settled('recording', recording)
    return open
  }

  /** Newest first. Recordings that cannot be read are listed with the problem. */
  async list(): Promise<RecordingSummary[]> {
    const found: RecordingSummary[] = []
    for (const task of await this.#options.tasks.recorded()) {
      const file = await this.#fileOf(task)
      if (file) found.push(await this.#summary(file))
    }
    return found.toSorted((a, b) => (b.from ?? 0) - (a.from ?? 0))
  }

  /** @throws AppError NOT_FOUND for an id whose task has no recording */
  async find(recording: string): Promise<RecordingFile> {
    const task = await this.#options.tasks.recordedOne(recording)
    const file = task && (await this.#fileOf(task))
    if (!file) throw new AppError('NOT_FOUND', `There is no recording ${recording}.`)
    this.#options.openings?.opening('recording', recording)
    return file
  }

  async total(folder: string): Promise<{ frames: number; durationMs: number } | null> {
    const { recorder, openings, log } = this.#options
    const path = join(folder, RECORDING_FILE)
    if (!(await exists(path))) return null
    try {
      openings?.requireAllowed('recording', basename(folder))
      const { frames, from, to } = await recorder.query('info', { path })
      return { frames, durationMs: Math.round((to ?? 0) - (from ?? 0)) }
    } catch (error) {
      log(`What the recording of ${basename(folder)} holds is not known: ${toFailure(error).message}`)
      return null
    }
  }

  async forget(folder: string): Promise<void> {
    await this.#options.recorder.query('forget', { path: join(folder, RECORDING_FILE) })
  }

  async #applyRetention(): Promise<void> {
    const { retention, tasks, log } = this.#options
    const { maxBytes, maxDays } = retention()
    if (maxBytes === null && maxDays === null) return
    for (const { recording } of expired(await this.list(), { maxBytes, maxDays }, Date.now())) {
      try {
        await this.#delete(recording)
        log(`The recording of ${recording} was deleted according to the setting for old recordings.`)
        await tasks.note(recording, 'the recording was deleted according to the setting for old recordings')
      } catch (error) {
        log(`The recording of ${recording} could not be deleted`, error)
      }
    }
  }

  async #delete(recording: string): Promise<void> {
    const { path, open } = await this.find(recording)
    if (open) throw new AppError('BUSY', `${recording} is being recorded again.`)
    await this.#options.recorder.query('forget', { path })
    for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true })
  }

  async #fileOf({ id, name, folder, running }: RecordedTask): Promise<RecordingFile | undefined> {
    const path = join(folder, RECORDING_FILE)
    if (!(await exists(path))) return undefined
    return { recording: id, name, path, open: running || this.#options.recorder.isOpen(path) }
  }

  async #summary({ path, ...known }: RecordingFile): Promise<RecordingSummary> {
    try {
      this.#options.openings?.requireAllowed('recording', known.recording)
      const { machine, from, to, frames, bytes, pinned, problem } = await this.#options.recorder.query('info', { path })
      return { ...known, machine, from, to, frames, bytes, pinned, problem }
    } catch (error) {
      const bytes = await stat(path).then(
        ({ size }) => size,
        () => 0,
      )
      return {
        ...known,
        machine: null,
        from: null,
        to: null,
        frames: 0,
        bytes,
        pinned: false,
        problem: toFailure(error).message,
      }
    }
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
