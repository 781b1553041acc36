/** The recordings of all tasks: a file in the folder of each task that made one, under the task's id. */
import { access, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, toFailure } from '@shared/contract/errors'
import type { RecordingSummary } from '@shared/contract/recorder'
import { expired, type Retention } from './retention'
import type { Recorder, Recording } from './recorder'

/** A task that may have a recording. */
export interface RecordedTask {
  readonly id: string
  readonly name: string
  readonly folder: string
  /** Whether it runs, here or in another process. */
  readonly running: boolean
}

interface BookOptions {
  readonly recorder: Recorder
  readonly tasks: {
    recorded(): Promise<readonly RecordedTask[]>
    /** Undefined for one that is not there, or that has no folder. */
    recordedOne(id: string): Promise<RecordedTask | undefined>
    /** A line for the task's log. */
    note(id: string, line: string): Promise<void>
  }
  readonly retention: () => Retention
  readonly log: (message: string, error?: unknown) => void
}

interface Place {
  readonly recording: string
  readonly name: string
  readonly path: string
  readonly open: boolean
}

/** Its name in the task's folder. */
export const RECORDING_FILE = 'recording.sqlite'

export class RecordingBook {
  readonly #options: BookOptions

  constructor(options: BookOptions) {
    this.#options = options
  }

  /** Makes room for it first. @throws AppError as `Recorder.open` does */
  async open(folder: string): Promise<Recording> {
    await this.#makeRoom()
    return this.#options.recorder.open(join(folder, RECORDING_FILE))
  }

  /** Newest first. What cannot be read is listed with why. */
  async list(): Promise<RecordingSummary[]> {
    const found: RecordingSummary[] = []
    for (const task of await this.#options.tasks.recorded()) {
      const place = await this.#placeOf(task)
      if (place) found.push(await this.#summary(place))
    }
    return found.toSorted((a, b) => (b.from ?? 0) - (a.from ?? 0))
  }

  /** @throws AppError NOT_FOUND for an id whose task has no recording */
  async find(recording: string): Promise<Place> {
    const task = await this.#options.tasks.recordedOne(recording)
    const place = task && (await this.#placeOf(task))
    if (!place) throw new AppError('NOT_FOUND', `There is no recording ${recording}.`)
    return place
  }

  /** Lets go of the file of a task whose folder is about to be deleted. */
  async forget(folder: string): Promise<void> {
    await this.#options.recorder.ask('forget', { path: join(folder, RECORDING_FILE) })
  }

  /** Deletes what the retention setting no longer keeps; the tasks themselves stay, and their logs tell of it. */
  async #makeRoom(): Promise<void> {
    const { retention, tasks, log } = this.#options
    const { maxBytes, maxDays } = retention()
    if (maxBytes === null && maxDays === null) return
    for (const { recording } of expired(await this.list(), { maxBytes, maxDays }, Date.now())) {
      try {
        await this.#delete(recording)
        log(`The recording of ${recording} was deleted, as the setting for old recordings says.`)
        await tasks.note(recording, 'its recording was deleted, as the setting for old recordings says')
      } catch (error) {
        log(`The recording of ${recording} could not be deleted`, error)
      }
    }
  }

  async #delete(recording: string): Promise<void> {
    const { path, open } = await this.find(recording)
    if (open) throw new AppError('BUSY', `${recording} is being recorded again.`)
    await this.#options.recorder.ask('forget', { path })
    for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true })
  }

  async #placeOf({ id, name, folder, running }: RecordedTask): Promise<Place | undefined> {
    const path = join(folder, RECORDING_FILE)
    if (!(await exists(path))) return undefined
    return { recording: id, name, path, open: running || this.#options.recorder.isOpen(path) }
  }

  async #summary({ path, ...known }: Place): Promise<RecordingSummary> {
    try {
      const { machine, from, to, frames, bytes, pinned, problem } = await this.#options.recorder.ask('info', { path })
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
