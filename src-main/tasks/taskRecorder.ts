import { setTimeout as sleep } from 'node:timers/promises'
import { fromFailure, type Failure } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { Unsubscribe } from '../machine/listeners'
import type { Subscription } from '../machine/managedMachine'
import type { RecordedSoFar } from './operation'

export interface TaskRecording {
  append(frame: Frame): void
  readonly state: RecordedSoFar & { readonly failure: Failure | null }
  close(): Promise<void>
}

export interface TaskRecorderOptions {
  readonly open: () => Promise<TaskRecording>
  readonly subscribe: (subscription: Subscription, listener: (frame: Frame) => void) => Unsubscribe
}

const FIRST_FRAME_WAIT_MS = 2_000

export class TaskRecorder {
  readonly #options: TaskRecorderOptions
  #recording: Promise<TaskRecording> | undefined
  #framesRecording: TaskRecording | undefined
  #moments = 0
  #unsubscribe: Unsubscribe | undefined
  #added = 0

  constructor(options: TaskRecorderOptions) {
    this.#options = options
  }

  /**
   * For when the first moment must not wait for the recording to open.
   * @throws AppError as `record` does
   */
  async open(): Promise<void> {
    await this.#open()
  }

  /** @throws AppError when it cannot go on, such as on a full disk */
  async record(moment: Omit<Frame, 'seq'>): Promise<void> {
    const recording = await this.#open()
    recording.append({ ...moment, seq: this.#moments++ })
    recordedSoFar(recording)
  }

  /**
   * Records until {@link stopFrames}; the first call waits for a frame.
   * @throws AppError as `record` does
   */
  async recordFrames(subscription: Subscription, signal: AbortSignal): Promise<RecordedSoFar & { added: number }> {
    const recording = await this.#open()
    signal.throwIfAborted()
    this.#framesRecording = recording
    if (!this.#unsubscribe) await this.#subscribe(recording, subscription, signal)
    const added = this.#added
    this.#added = 0
    return { ...recordedSoFar(recording), added }
  }

  async #subscribe(recording: TaskRecording, subscription: Subscription, signal: AbortSignal): Promise<void> {
    const first = new AbortController()
    this.#unsubscribe = this.#options.subscribe({ ...subscription, records: true }, (frame) => {
      recording.append(requestedPart(frame, subscription))
      this.#added++
      first.abort()
    })
    const enough = AbortSignal.any([signal, first.signal])
    await sleep(FIRST_FRAME_WAIT_MS, undefined, { signal: enough }).catch(() => undefined)
    signal.throwIfAborted()
  }

  get recorded(): RecordedSoFar | null {
    return this.#framesRecording ? heldBy(this.#framesRecording) : null
  }

  stopFrames(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }

  async close(): Promise<void> {
    this.stopFrames()
    await this.#recording?.then((recording) => recording.close())
  }

  #open(): Promise<TaskRecording> {
    return (this.#recording ??= this.#options.open())
  }
}

/** @throws AppError why it cannot go on */
function recordedSoFar(recording: TaskRecording): RecordedSoFar {
  const { failure } = recording.state
  if (failure) throw fromFailure(failure)
  return heldBy(recording)
}

const heldBy = ({ state: { frames, durationMs, bytes, lost } }: TaskRecording): RecordedSoFar => ({
  frames,
  durationMs,
  bytes,
  lost,
})

function requestedPart({ segments, picture, ...frame }: Frame, requested: Subscription): Frame {
  return {
    ...frame,
    segments: segments.filter(({ space }) => requested.spaces.includes(space)),
    ...(picture && requested.picture ? { picture } : {}),
  }
}
