/** The recorder as the rest of the bridge sees it. */
import type { Failure } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'

export interface RecordingProgress {
  /** Frames that are in the file or on their way to it. */
  readonly frames: number
  /** Size of the file, bytes. */
  readonly bytes: number
  /** Frames that found the queue full. */
  readonly lost: number
  /** Why nothing is recorded any more; what was recorded until then is kept. */
  readonly failure: Failure | null
}

/** A recording that is being made. */
export interface Recording {
  /** Never waits: what the disk does not keep up with is counted as lost. The frame's bytes are copied. */
  append(frame: Frame): void
  readonly state: RecordingProgress
  /** Resolves when all is on disk. May be called again. */
  close(): Promise<void>
}
