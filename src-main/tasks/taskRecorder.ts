import { fromFailure, type Failure } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { Unsubscribe } from '../machine/listeners'
import type { Subscription } from '../machine/managedMachine'
import type { RecordedSoFar } from './operation'

/** A recording in a task's folder, as the recorder makes it. */
export interface TaskRecording {
  append(frame: Frame): void
  readonly state: RecordedSoFar & { readonly failure: Failure | null }
  close(): Promise<void>
}

export interface TaskRecorderOptions {
  readonly open: () => Promise<TaskRecording>
  readonly subscribe: (subscription: Subscription, listener: (frame: Frame) => void) => Unsubscribe
}

/** The recording of one task: opened by the first frame, closed when the task ends. */
export class TaskRecorder {
  readonly #options: TaskRecorderOptions
  #recording: Promise<TaskRecording> | undefined
  #moments = 0
  #unsubscribe: Unsubscribe | undefined

  constructor(options: TaskRecorderOptions) {
    this.#options = options
  }

  /** @throws AppError when it cannot go on, such as on a full disk */
  async record(moment: Omit<Frame, 'seq'>): Promise<void> {
    const recording = await this.#open()
    recording.append({ ...moment, seq: this.#moments++ })
    recordedSoFar(recording)
  }

  /** From the first call on until {@link stopFrames}. @throws AppError as `record` does */
  async recordFrames(subscription: Subscription, signal: AbortSignal): Promise<RecordedSoFar> {
    const recording = await this.#open()
    signal.throwIfAborted()
    this.#unsubscribe ??= this.#options.subscribe(subscription, (frame) =>
      recording.append(requestedPart(frame, subscription)),
    )
    return recordedSoFar(recording)
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
function recordedSoFar({ state: { frames, bytes, lost, failure } }: TaskRecording): RecordedSoFar {
  if (failure) throw fromFailure(failure)
  return { frames, bytes, lost }
}

/** Others may have asked the machine for more. */
function requestedPart({ segments, picture, ...frame }: Frame, requested: Subscription): Frame {
  return {
    ...frame,
    segments: segments.filter(({ space }) => requested.spaces.includes(space)),
    ...(picture && requested.picture ? { picture } : {}),
  }
}
