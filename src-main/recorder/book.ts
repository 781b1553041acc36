/** Every recording by its id, and those that the live views are making. */
import { access, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError, fromFailure, toFailure } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'
import type { RecordingState, RecordingSummary } from '@shared/contract/recorder'
import { describeFileError } from '../files/fileErrors'
import { expired, type Retention } from './retention'
import type { Recorder, Recording } from './recorder'

interface BookOptions {
  readonly recorder: Recorder
  /** The live views' recordings are in it, a folder each. */
  readonly folder: string
  /** Those of tasks are in the tasks' folders, under their ids. */
  readonly ofTasks?: () => Promise<readonly { readonly id: string; readonly folder: string }[]>
  readonly machines: {
    /** Throws when it is not connected. */
    live(machine: string): unknown
    subscribe(machine: string, wish: { spaces: readonly Space[]; picture: boolean }, listener: (frame: Frame) => void): () => void
  }
  readonly retention: () => Retention
  readonly onStates: (recordings: RecordingState[]) => void
  /** A recording ended by itself; what was recorded until then is kept. */
  readonly onFailure: (error: AppError) => void
  readonly log: (message: string, error?: unknown) => void
}

interface Live {
  readonly path: string
  readonly machine: string
  readonly startedAt: number
  readonly made: Recording
  readonly unsubscribe: () => void
}

interface Place {
  readonly recording: string
  readonly kind: RecordingSummary['kind']
  readonly path: string
}

/** How often what a recording takes is told, ms. */
const TELL = 500

/** Its name in the folder that it is in. */
export const RECORDING_FILE = 'recording.sqlite'
const liveFolder = /^live-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-\d+)?$/

export class RecordingBook {
  readonly #options: BookOptions
  readonly #live = new Map<string, Live>()
  #clock: NodeJS.Timeout | undefined
  #told = ''

  constructor(options: BookOptions) {
    this.#options = options
  }

  get states(): RecordingState[] {
    return [...this.#live].map(([recording, live]) => stateOf(recording, live))
  }

  /** @throws AppError LOST when the machine is not connected, INVALID without room on the disk. */
  async start(machine: string, spaces: readonly Space[], picture: boolean): Promise<RecordingState> {
    const { machines, recorder } = this.#options
    machines.live(machine)
    await this.makeRoom()
    const { recording, path } = await this.#newPlace()
    const made = await recorder.open(path).catch(async (error: unknown) => {
      await rmdir(dirname(path)).catch(() => undefined)
      throw error
    })
    const unsubscribe = machines.subscribe(machine, { spaces, picture }, (frame) => made.append(only(frame, spaces, picture)))
    const live: Live = { path, machine, startedAt: Date.now(), made, unsubscribe }
    this.#live.set(recording, live)
    this.#clock ??= setInterval(() => this.#tell(), TELL)
    this.#tell()
    return stateOf(recording, live)
  }

  /** @throws AppError NOT_FOUND for what the live views do not record. */
  async stop(recording: string): Promise<RecordingState> {
    const live = this.#live.get(recording)
    if (!live) throw new AppError('NOT_FOUND', `${recording} is not being recorded by the live views.`)
    live.unsubscribe()
    await live.made.close()
    this.#live.delete(recording)
    this.#tell()
    return stateOf(recording, live)
  }

  /** Newest first. What cannot be read is listed with why. */
  async list(): Promise<RecordingSummary[]> {
    const found: RecordingSummary[] = []
    for (const place of await this.#places()) found.push(await this.#summary(place))
    return found.toSorted((a, b) => (b.from ?? 0) - (a.from ?? 0))
  }

  /** @throws AppError NOT_FOUND for an id that no recording has. */
  async find(recording: string): Promise<Place & { readonly open: boolean }> {
    const place = (await this.#places()).find((one) => one.recording === recording)
    if (!place) throw new AppError('NOT_FOUND', `There is no recording ${recording}.`)
    return { ...place, open: this.#options.recorder.isOpen(place.path) }
  }

  /** @throws AppError BUSY while it is being recorded. */
  async delete(recording: string): Promise<void> {
    const { path, open } = await this.find(recording)
    if (open) throw new AppError('BUSY', `${recording} is still being recorded.`, { hint: 'Stop it first.' })
    await this.#options.recorder.ask('forget', { path })
    for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true })
    // What somebody else put beside it stays.
    await rmdir(dirname(path)).catch(() => undefined)
  }

  /** Deletes what the retention setting no longer keeps. */
  async makeRoom(): Promise<void> {
    const { retention, log } = this.#options
    const { maxBytes, maxDays } = retention()
    if (maxBytes === null && maxDays === null) return
    for (const { recording } of expired(await this.list(), { maxBytes, maxDays }, Date.now())) {
      try {
        await this.delete(recording)
        log(`The recording ${recording} was deleted, as the setting for old recordings says.`)
      } catch (error) {
        log(`The recording ${recording} could not be deleted`, error)
      }
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#live.keys()].map((recording) => this.stop(recording)))
    this.#stopClock()
  }

  async #places(): Promise<Place[]> {
    const { folder } = this.#options
    const names = await readdir(folder).catch(() => [])
    const found: Place[] = []
    for (const { id, folder } of (await this.#options.ofTasks?.()) ?? []) {
      const path = join(folder, RECORDING_FILE)
      if (await exists(path)) found.push({ recording: id, kind: 'task', path })
    }
    for (const recording of names.filter((name) => liveFolder.test(name))) {
      const path = join(folder, recording, RECORDING_FILE)
      if (await exists(path)) found.push({ recording, kind: 'live', path })
    }
    return found
  }

  async #summary({ recording, kind, path }: Place): Promise<RecordingSummary> {
    const { recorder } = this.#options
    const known = { recording, kind, open: recorder.isOpen(path) }
    try {
      const { machine, from, to, frames, bytes, pinned, problem } = await recorder.ask('info', { path })
      return { ...known, machine, from, to, frames, bytes, pinned, problem }
    } catch (error) {
      const bytes = await stat(path).then(
        ({ size }) => size,
        () => 0,
      )
      return { ...known, machine: null, from: null, to: null, frames: 0, bytes, pinned: false, problem: toFailure(error).message }
    }
  }

  /** A folder is made by one caller only, so that two recordings of the same second get two names. */
  async #newPlace(): Promise<{ recording: string; path: string }> {
    const { folder } = this.#options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = `live-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`
    for (let number = 1; ; number++) {
      const recording = number === 1 ? name : `${name}-${number}`
      try {
        await mkdir(join(folder, recording))
        return { recording, path: join(folder, recording, RECORDING_FILE) }
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw describeFileError(error, recording, 'written')
      }
    }
  }

  #tell(): void {
    const { states } = this
    for (const [recording, { made, unsubscribe }] of this.#live) {
      const { failure } = made.state
      if (!failure) continue
      unsubscribe()
      this.#live.delete(recording)
      void made.close()
      this.#options.onFailure(fromFailure(failure))
    }
    const text = JSON.stringify(states)
    if (text === this.#told) {
      if (states.length === 0) this.#stopClock()
      return
    }
    this.#told = text
    this.#options.onStates(states)
  }

  #stopClock(): void {
    clearInterval(this.#clock)
    this.#clock = undefined
  }
}

/** Other views may have asked for more. */
function only({ segments, picture, ...frame }: Frame, spaces: readonly Space[], withPicture: boolean): Frame {
  return { ...frame, segments: segments.filter(({ space }) => spaces.includes(space)), ...(picture && withPicture ? { picture } : {}) }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

function stateOf(recording: string, { machine, startedAt, made }: Live): RecordingState {
  return { recording, machine, startedAt, ...made.state }
}
