/** One worker writes and another answers queries, so that no query delays a frame. */
import { mkdir } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { AppError, toFailure, type Failure } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { Mark, NewMark } from '@shared/contract/recorder'
import { describeFileError } from '../files/fileErrors'
import { RecorderClient } from './client'
import type { Progress, RequestInput, RequestName, RequestOutput } from './messages'

interface RecordingProgress {
  readonly frames: number
  readonly bytes: number
  readonly durationMs: number
  readonly lost: number
  readonly failure: Failure | null
}

export interface Recording {
  /** Never waits: frames that the disk cannot keep up with are counted as lost. The frame's bytes are copied. */
  append(frame: Frame): void
  readonly state: RecordingProgress
  close(): Promise<void>
}

/** Two seconds at 50 Hz. */
const MAX_PENDING_FRAMES = 100

type Query = Exclude<RequestName, 'open' | 'flush' | 'close' | 'pin' | 'addMark' | 'deleteMark' | 'export'>

export class Recorder {
  readonly #writer: RecorderClient
  readonly #reader: RecorderClient
  readonly #open = new Map<number, OpenRecording>()
  #nextHandle = 0
  readonly #exports = new Map<string, (percent: number) => void>()

  constructor(workerPath: string) {
    this.#writer = new RecorderClient({
      workerPath,
      progress: (progress) => this.#open.get(progress.handle)?.onProgress(progress),
      onLost: (reason) => {
        for (const recording of this.#open.values()) recording.fail(toFailure(reason))
        this.#open.clear()
      },
    })
    this.#reader = new RecorderClient({ workerPath, exported: ({ to, percent }) => this.#exports.get(to)?.(percent) })
  }

  /**
   * Continues the recording in the file, or creates one.
   * @throws AppError CONFLICT where it is already in progress, INVALID where the disk is full, or the file system's refusal
   */
  async open(file: string): Promise<Recording> {
    const path = resolve(file)
    if (this.isOpen(path)) throw new AppError('CONFLICT', `${basename(path)} is already being recorded.`)
    const handle = this.#nextHandle++
    const recording = new OpenRecording(handle, path, this.#writer, () => this.#open.delete(handle))
    // Set before the worker answers, so that no other call opens the same file.
    this.#open.set(handle, recording)
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      recording.onProgress({ ...(await this.#writer.call('open', { handle, path })), taken: 0, failure: null })
      return recording
    } catch (error) {
      this.#open.delete(handle)
      throw describeFileError(error, basename(path), 'written')
    }
  }

  isOpen(file: string): boolean {
    return [...this.#open.values()].some(({ path }) => path === resolve(file))
  }

  /** For a recording in progress, the answer includes all frames appended before. */
  async query<Name extends Query>(
    name: Name,
    input: RequestInput<Name> & { readonly path: string },
    signal?: AbortSignal,
  ): Promise<RequestOutput<Name>> {
    await this.#flush(input.path)
    return this.#reader.call(name, input, signal)
  }

  /** Other queries are answered meanwhile. @throws AppError CONFLICT while another export writes the same file */
  async export(
    input: RequestInput<'export'>,
    onPercent: (percent: number) => void,
    signal?: AbortSignal,
  ): Promise<RequestOutput<'export'>> {
    const { path, to } = input
    if (this.#exports.has(to))
      throw new AppError('CONFLICT', `Another export to ${basename(to)} is running.`, {
        hint: 'Wait until it has finished, or choose another name.',
      })
    this.#exports.set(to, onPercent)
    try {
      await this.#flush(path)
      return await this.#reader.call('export', input, signal)
    } finally {
      this.#exports.delete(to)
    }
  }

  async #flush(file: string): Promise<void> {
    await [...this.#open.values()].find(({ path }) => path === file)?.flush()
  }

  async pin(file: string, pinned: boolean): Promise<void> {
    const path = resolve(file)
    if (this.isOpen(path))
      throw new AppError('BUSY', 'The recording is still in progress.', { hint: 'Pin it when it has finished.' })
    await this.#writer.call('pin', { path, pinned })
  }

  /** Of a recording in progress, frames appended before are written first. @throws AppError NOT_FOUND outside of its time */
  addMark(file: string, mark: NewMark): Promise<Mark> {
    return this.#writer.call('addMark', { ...this.#written(file), ...mark })
  }

  /** @throws AppError NOT_FOUND */
  async deleteMark(file: string, mark: number): Promise<void> {
    await this.#writer.call('deleteMark', { ...this.#written(file), mark })
  }

  openOf(machine: string): string[] {
    return [...this.#open.values()].filter((recording) => recording.machine === machine).map(({ path }) => path)
  }

  #written(file: string): { readonly path: string; readonly handle: number | null } {
    const path = resolve(file)
    const [handle = null] = [...this.#open].find(([, recording]) => recording.path === path) ?? []
    return { path, handle }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map((recording) => recording.close()))
    await Promise.all([this.#writer.end(), this.#reader.end()])
  }
}

class OpenRecording implements Recording {
  readonly path: string
  readonly #handle: number
  readonly #writer: RecorderClient
  readonly #onClosed: () => void
  machine: string | undefined
  #sent = 0
  #taken = 0
  #before = 0
  #bytes = 0
  #durationMs = 0
  #lost = 0
  #failure: Failure | null = null
  /** Frames in the file; reported once no others are on their way to it. */
  #written = 0
  #closing: Promise<void> | undefined
  #isClosed = false

  constructor(handle: number, path: string, writer: RecorderClient, onClosed: () => void) {
    this.#handle = handle
    this.path = path
    this.#writer = writer
    this.#onClosed = onClosed
  }

  get state(): RecordingProgress {
    const frames = this.#failure || this.#isClosed ? this.#written : this.#before + this.#sent
    return { frames, bytes: this.#bytes, durationMs: this.#durationMs, lost: this.#lost, failure: this.#failure }
  }

  append({ accesses: _, ...frame }: Frame): void {
    if (this.#closing || this.#failure) return
    if (this.#sent - this.#taken >= MAX_PENDING_FRAMES) {
      this.#lost++
      return
    }
    this.#sent++
    this.machine = frame.machine
    this.#writer.sendFrame(this.#handle, frame)
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async flush(): Promise<void> {
    if (!this.#failure && !this.#closing) await this.#writer.call('flush', { handle: this.#handle })
  }

  onProgress({ taken, frames, bytes, durationMs, failure }: Omit<Progress, 'handle'>): void {
    if (this.#sent === 0) this.#before = frames
    this.#taken = taken
    this.#written = frames
    this.#bytes = bytes
    this.#durationMs = durationMs
    if (failure) this.fail(failure)
  }

  fail(failure: Failure): void {
    this.#failure ??= failure
  }

  async #close(): Promise<void> {
    try {
      await this.#writer.call('close', { handle: this.#handle })
    } catch (error) {
      this.fail(toFailure(error))
    } finally {
      this.#isClosed = true
      this.#onClosed()
    }
  }
}
