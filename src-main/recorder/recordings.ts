import { AppError, diskError, toFailure } from '@shared/contract/errors'
import type { Notify, RequestHandlers } from '../rpc/protocol'
import { exportRecording, type Exported } from './export'
import type { RecordedFrame, RecorderChannel, RecordingSize, RequestInput } from './messages'
import { RecordingReader } from './reader'
import { RecordingWriter } from './writer'

const BATCH_MS = 250
const MAX_READERS = 4
/** Readers are closed after this time without queries, as some systems cannot delete an open file. */
const READER_IDLE_MS = 10_000

const CLOCK_SLACK_MS = 1_000

interface Open {
  writer: RecordingWriter | undefined
  taken: number
  size: RecordingSize
  timer: NodeJS.Timeout | undefined
}

export class Recordings {
  readonly #notify: Notify<RecorderChannel>
  readonly #open = new Map<number, Open>()
  readonly #readers = new Map<string, RecordingReader>()
  #idle: NodeJS.Timeout | undefined

  constructor(notify: Notify<RecorderChannel>) {
    this.#notify = notify
  }

  readonly handlers: RequestHandlers<RecorderChannel> = {
    open: ({ handle, path }) => {
      const writer = new RecordingWriter(path)
      const { size } = writer
      this.#open.set(handle, { writer, taken: 0, size, timer: undefined })
      return size
    },
    flush: ({ handle }) => {
      this.#flush(handle)
      return {}
    },
    close: ({ handle }) => {
      const open = this.#open.get(handle)
      this.#flush(handle)
      this.#open.delete(handle)
      open?.writer?.close()
      return {}
    },
    pin: ({ path, pinned }) => {
      this.#write(path, null, (writer) => writer.pin(pinned))
      return {}
    },
    marks: ({ path, span }) => ({ marks: this.#reader(path).marks(span) }),
    addMark: ({ path, handle, ...mark }) =>
      this.#write(path, handle, (writer) => writer.addMark(mark, handle === null ? 0 : Date.now() + CLOCK_SLACK_MS)),
    deleteMark: ({ path, handle, mark }) => {
      this.#write(path, handle, (writer) => writer.deleteMark(mark))
      return {}
    },
    forget: ({ path }) => {
      this.#readers.get(path)?.close()
      this.#readers.delete(path)
      return {}
    },
    info: ({ path }) => this.#reader(path).info(),
    imageAt: ({ path, time, spaces, picture }) => this.#reader(path).imageAt(time, spaces, picture),
    changes: ({ path, space, address, span, order, limit }) =>
      this.#reader(path).changes(space, address, span, order, limit),
    values: ({ path, space, address, span, points }) => this.#reader(path).values(space, address, span, points),
    mostChanged: ({ path, space, limit }, signal) =>
      this.#inSteps(path, signal, (reader) => reader.mostChanged(space, limit)),
    firstWhen: ({ path, space, address, span, condition }) =>
      this.#reader(path).firstWhen(space, address, span, condition),
    difference: ({ path, space, times }) => this.#reader(path).difference(space, times),
    export: (input, signal) => this.#export(input, signal),
  }

  append(handle: number, frame: RecordedFrame): void {
    const open = this.#open.get(handle)
    if (!open) return
    open.taken++
    if (!open.writer) return
    open.writer.append(frame)
    open.timer ??= setTimeout(() => this.#flush(handle), BATCH_MS)
  }

  #export({ path, to, request }: RequestInput<'export'>, signal: AbortSignal): Promise<Exported> {
    let notified = -1
    return this.#inSteps(
      path,
      signal,
      (reader) => exportRecording(reader, to, request),
      (progress) => {
        const percent = Math.floor(100 * progress)
        if (percent > notified) this.#notify('exported', { to, percent: (notified = percent) })
      },
    )
  }

  /** Answers other queries between the steps. @throws AppError CANCELLED when the signal aborts */
  async #inSteps<T>(
    path: string,
    signal: AbortSignal,
    start: (reader: RecordingReader) => Iterator<number, T>,
    onProgress: (progress: number) => void = () => undefined,
  ): Promise<T> {
    // A reader of its own, as queries in between move the shared reader's images.
    const reader = new RecordingReader(path)
    const steps = start(reader)
    try {
      for (;;) {
        const step = steps.next()
        if (step.done === true) return step.value
        onProgress(step.value)
        await new Promise(setImmediate)
        if (signal.aborted) throw new AppError('CANCELLED', 'Reading the recording was cancelled.')
      }
    } finally {
      steps.return?.()
      reader.close()
    }
  }

  /**
   * Written after the frames that came before.
   * @param handle null for a finished recording
   */
  #write<T>(path: string, handle: number | null, write: (writer: RecordingWriter) => T): T {
    if (handle !== null) {
      this.#flush(handle)
      const writer = this.#open.get(handle)?.writer
      if (!writer) throw new AppError('CONFLICT', 'The recording has ended.', { hint: 'Try again.' })
      return write(writer)
    }
    const writer = new RecordingWriter(path)
    try {
      return write(writer)
    } finally {
      writer.close()
    }
  }

  #flush(handle: number): void {
    const open = this.#open.get(handle)
    if (!open) return
    clearTimeout(open.timer)
    open.timer = undefined
    const { writer } = open
    if (!writer) return
    let failure = null
    try {
      writer.flush()
      open.size = writer.size
    } catch (error) {
      if (!(error instanceof AppError) && !diskError(error)) throw error
      failure = toFailure(error)
      open.writer = undefined
      writer.abandon()
    }
    const { taken, size } = open
    this.#notify('progress', { handle, taken, ...size, failure })
  }

  #reader(path: string): RecordingReader {
    const reader = this.#readers.get(path) ?? new RecordingReader(path)
    this.#readers.delete(path)
    this.#readers.set(path, reader)
    for (const [oldest, unused] of [...this.#readers].slice(0, -MAX_READERS)) {
      unused.close()
      this.#readers.delete(oldest)
    }
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#closeReaders(), READER_IDLE_MS)
    return reader
  }

  #closeReaders(): void {
    for (const reader of this.#readers.values()) reader.close()
    this.#readers.clear()
  }
}
