/**
 * One file for each turn, `.noodlecrew/logs/<time>.log`, with lines such as `[2026-01-28 14:35:22] INFO: Starting
 * iteration 1/100`.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { redact } from '../../files/redact'
import { ownFolder } from './ownFolder'
import { isCode } from '../../files/fileErrors'

export const LOGS = '.noodlecrew/logs'

export type LogWord = 'INFO' | 'WARN' | 'ERROR'

const two = (number: number): string => String(number).padStart(2, '0')
const dateOf = (time: Date): string => `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`

/** In the computer's time zone, as the file's name is. */
export const logLine = (at: number, word: LogWord, text: string): string => {
  const time = new Date(at)
  return `[${dateOf(time)} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}] ${word}: ${oneLine(text)}`
}

export const logName = (at: number): string => {
  const time = new Date(at)
  return `${dateOf(time)}-${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join('')}`
}

/** Log files are read in terminals, which obey control characters. */
const inert = (text: string): string =>
  redact(text)
    .replaceAll('\r\n', '\n')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) =>
      character === '\t' ? '  ' : '\uFFFD',
    )
const oneLine = (text: string): string => inert(text).replaceAll('\n', ' ')

/** Characters; the whole answer is in the agent's own log. */
const MAX_ANSWER_LENGTH = 200_000

export class TurnLog {
  readonly path: string
  readonly #file: FileHandle
  readonly #now: () => number

  private constructor(path: string, file: FileHandle, now: () => number) {
    this.path = path
    this.#file = file
    this.#now = now
  }

  /** @param root links resolved */
  static async create(root: string, now: () => number): Promise<TurnLog> {
    const folder = await ownFolder(root, LOGS)
    const name = logName(now())
    for (let number = 1; ; number++) {
      // A fast turn may end in the second in which it began; `_` sorts behind the `.` of the first one's name.
      const file = `${name}${number === 1 ? '' : `_${number}`}.log`
      try {
        return new TurnLog(`${LOGS}/${file}`, await open(join(folder, file), 'wx'), now)
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error
      }
    }
  }

  say(word: LogWord, text: string): Promise<void> {
    return this.#append(`${logLine(this.#now(), word, text)}\n`)
  }

  /** Indented, so that no line of what the expert said can be taken for one of ours. */
  answer(text: string): Promise<void> {
    const shown = inert(text.slice(0, MAX_ANSWER_LENGTH)).trimEnd()
    return shown === ''
      ? Promise.resolve()
      : this.#append(
          `${shown
            .split('\n')
            .map((line) => `  ${line}`.trimEnd())
            .join('\n')}\n`,
        )
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #append(text: string): Promise<void> {
    await this.#file.appendFile(text)
  }
}
