import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogPart } from './taskFolder'
import { appendLog } from './taskFolder'

/** Further lines of an operation in one second are only counted, so that a fast one does not fill the disk. */
const MAX_LINES_PER_SECOND = 20

export class TaskLog {
  readonly #folder: string
  readonly #onText: (part: LogPart) => void
  readonly #onError: (error: unknown) => void
  #last: Promise<void>
  #offset = 0
  #second = 0
  #lines = 0
  #omitted = 0

  constructor(
    folder: string,
    { onText, onError }: { onText: (part: LogPart) => void; onError: (error: unknown) => void },
  ) {
    this.#folder = folder
    this.#onText = onText
    this.#onError = onError
    this.#last = stat(join(folder, 'log.txt')).then(
      ({ size }) => void (this.#offset = size),
      () => undefined,
    )
  }

  say(line: string): void {
    this.#write(line)
  }

  note(line: string): void {
    const second = Math.floor(Date.now() / 1000)
    if (second !== this.#second) {
      if (this.#omitted > 0) this.#write(`${this.#omitted} more lines in the same second were left out`)
      this.#second = second
      this.#lines = 0
      this.#omitted = 0
    }
    if (++this.#lines <= MAX_LINES_PER_SECOND) this.#write(line.slice(0, 2000))
    else this.#omitted++
  }

  async settled(): Promise<void> {
    await this.#last
  }

  #write(line: string): void {
    const time = Date.now()
    this.#last = this.#last.then(async () => {
      try {
        const text = await appendLog(this.#folder, line, time)
        const offset = this.#offset
        this.#offset += Buffer.byteLength(text)
        this.#onText({ offset, text, next: this.#offset })
      } catch (error) {
        this.#onError(error)
      }
    })
  }
}
