/**
 * Reads a log of any length by line numbers. Only a count of lines per block is held: 16,384 numbers for a file of a
 * gigabyte.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'
import { isCode } from '../files/fileErrors'

const BLOCK_BYTES = 64 * 1024
const CHUNK_BYTES = 4 * BLOCK_BYTES
export const MAX_SHOWN_LINE_BYTES = 4_096
const MAX_PAGE_BYTES = 1024 * 1024
const NEWLINE = 0x0a

export interface LogLine {
  /** Without terminal escape sequences; the start of a long line. */
  readonly text: string
  /** Length of the whole line in the file. */
  readonly bytes: number
  /** Offset in the file, bytes. */
  readonly start: number
}

export class LogFile {
  readonly path: string
  #file: FileHandle | undefined
  #before: number[] = [0]
  #newlines = 0
  #counted = 0
  #endsOpen = false
  #isClosed = false
  /** One after the other, as they share the count and the buffer. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.path = path
  }

  get counted(): number {
    return this.#counted
  }

  get lines(): number {
    return this.#newlines + (this.#endsOpen ? 1 : 0)
  }

  /**
   * `onBytes` may keep its bytes only while it runs.
   * @param most upper limit in bytes for this call
   * @returns whether that was all
   */
  catchUp(most: number, onBytes?: (bytes: Buffer) => void): Promise<boolean> {
    return this.#alone(() => this.#catchUp(most, onBytes))
  }

  /** Bytes; 0 while there is no file. */
  size(): Promise<number> {
    return this.#alone(() => this.#size())
  }

  /** `from` counts from 0; only counted lines are read. */
  read(from: number, count: number): Promise<LogLine[]> {
    return this.#alone(async () => {
      const start = await this.#startOf(from)
      return start === undefined ? [] : this.#linesAt(start, from, count)
    })
  }

  /** Fewer than asked for where those take more than 1 MiB. */
  tail(count: number): Promise<LogLine[]> {
    return this.#alone(async () => {
      const file = await this.#open()
      const size = await this.#size()
      if (!file || size === 0) return []
      const pieces: Buffer[] = []
      let newlines = 0
      let start = size
      while (start > 0 && newlines <= count && size - start < MAX_PAGE_BYTES) {
        const from = Math.max(0, start - BLOCK_BYTES)
        const piece = await readAt(file, from, start - from)
        for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) newlines++
        pieces.unshift(piece)
        start = from
      }
      const text = Buffer.concat(pieces)
      const ends = text.at(-1) === NEWLINE
      const lines = splitLines(ends ? text.subarray(0, -1) : text)
      const whole = start > 0 && lines.length > 1 ? lines.slice(1) : lines
      return whole.slice(-count).map((line) => shown(line, line.length, start + line.byteOffset - text.byteOffset))
    })
  }

  lineOf(offset: number): Promise<number> {
    return this.#alone(async () => {
      const block = Math.floor(offset / BLOCK_BYTES)
      const file = await this.#open()
      const bytes = file ? await readAt(file, block * BLOCK_BYTES, offset - block * BLOCK_BYTES) : Buffer.alloc(0)
      return (this.#before[block] ?? 0) + countNewlines(bytes)
    })
  }

  bytes(offset: number, length: number): Promise<Buffer> {
    return this.#alone(async () => {
      const file = await this.#open()
      return file ? readAt(file, offset, length) : Buffer.alloc(0)
    })
  }

  async close(): Promise<void> {
    await this.#alone(async () => {
      this.#isClosed = true
      await this.#file?.close()
      this.#file = undefined
    })
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => undefined)
    return done
  }

  async #open(): Promise<FileHandle | undefined> {
    if (this.#isClosed) return undefined
    this.#file ??= await open(this.path).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return undefined
      throw error
    })
    return this.#file
  }

  async #size(): Promise<number> {
    return (await (await this.#open())?.stat())?.size ?? 0
  }

  async #catchUp(most: number, onBytes?: (bytes: Buffer) => void): Promise<boolean> {
    const file = await this.#open()
    if (!file) return true
    const size = await this.#size()
    if (size < this.#counted) this.#startAgain()
    if (size === this.#counted) return true
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, most, size - this.#counted))
    for (let left = most; left > 0;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, left), this.#counted)
      if (bytesRead === 0) return true
      const bytes = buffer.subarray(0, bytesRead)
      this.#count(bytes)
      onBytes?.(bytes)
      left -= bytesRead
    }
    return false
  }

  #startAgain(): void {
    this.#before = [0]
    this.#newlines = 0
    this.#counted = 0
    this.#endsOpen = false
  }

  #count(bytes: Buffer): void {
    for (let start = 0; start < bytes.length;) {
      const room = BLOCK_BYTES - (this.#counted % BLOCK_BYTES)
      const part = bytes.subarray(start, start + room)
      this.#newlines += countNewlines(part)
      this.#counted += part.length
      start += part.length
      if (this.#counted % BLOCK_BYTES === 0) this.#before.push(this.#newlines)
    }
    this.#endsOpen = bytes.at(-1) !== NEWLINE
  }

  async #startOf(line: number): Promise<number | undefined> {
    if (line >= this.lines) return undefined
    if (line === 0) return 0
    let low = 0
    let high = this.#before.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#before[middle] ?? 0) < line) low = middle
      else high = middle - 1
    }
    const file = await this.#open()
    if (!file) return undefined
    const bytes = await readAt(file, low * BLOCK_BYTES, BLOCK_BYTES)
    let at = -1
    for (let left = line - (this.#before[low] ?? 0); left > 0; left--) {
      at = bytes.indexOf(NEWLINE, at + 1)
      if (at < 0) return undefined
    }
    return low * BLOCK_BYTES + at + 1
  }

  async #linesAt(start: number, from: number, count: number): Promise<LogLine[]> {
    const file = await this.#open()
    const lines: LogLine[] = []
    let position = start
    let budget = MAX_PAGE_BYTES
    while (file && lines.length < count && budget > 0 && position < this.#counted) {
      const bytes = await readAt(file, position, Math.min(BLOCK_BYTES, this.#counted - position))
      if (bytes.length === 0) break
      let at = 0
      for (
        let end = bytes.indexOf(NEWLINE);
        end >= 0 && lines.length < count && budget > 0;
        end = bytes.indexOf(NEWLINE, at)
      ) {
        const line = bytes.subarray(at, end)
        lines.push(shown(line, line.length, position + at))
        budget -= Math.min(line.length, MAX_SHOWN_LINE_BYTES) + 1
        at = end + 1
      }
      if (at > 0) position += at
      else {
        // The line is longer than what was read: its end is looked up, not read through.
        const next = (await this.#startOf(from + lines.length + 1)) ?? this.#counted + (this.#endsOpen ? 1 : 0)
        lines.push(shown(bytes, next - 1 - position, position))
        budget -= MAX_SHOWN_LINE_BYTES
        position = next
      }
    }
    return lines
  }
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

function countNewlines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  lines.push(bytes.subarray(start))
  return lines
}

const shown = (bytes: Buffer, length: number, start: number): LogLine => ({
  text: inertText(bytes.subarray(0, MAX_SHOWN_LINE_BYTES).toString('utf8')),
  bytes: length,
  start,
})

/** Other unprintable characters are left to whoever shows the text. */
export const inertText = (text: string): string => stripVTControlCharacters(text.replace(/\r$/, ''))
