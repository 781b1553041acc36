import { describeFailure, type ErrorCode, type Failure } from '@shared/contract/errors'
import { terminalText } from './terminalText'

export const EXIT_OK = 0
export const EXIT_FAILED = 1
const EXIT_USAGE = 2
export const EXIT_INTERRUPTED = 130

const exitCodes: Partial<Record<ErrorCode, number>> = {
  UNREACHABLE: 3,
  LOST: 3,
  BRIDGE_DOWN: 3,
  UNSUPPORTED: 4,
  TIMEOUT: 5,
  CONFLICT: 6,
  CANCELLED: EXIT_INTERRUPTED,
}

export const exitCode = ({ code, details }: Failure): number =>
  details?.usage ? EXIT_USAGE : (exitCodes[code] ?? EXIT_FAILED)

/** Prints results to standard output and errors to standard error; with `--json`, both as one object to standard output. */
export class Output {
  readonly isJson: boolean
  readonly #schema: string

  /** @param command such as `project needs`, or `usage` where the arguments name no command */
  constructor(command: string, isJson: boolean) {
    this.isJson = isJson
    this.#schema = `bridgedeck.${command.replace(' ', '.')}/1`
  }

  /** @param data printed with `--json`; bytes as hex strings @param text printed otherwise, unless it is empty */
  result(data: object, text: string): void {
    process.stdout.write(
      this.isJson ? `${JSON.stringify({ schema: this.#schema, ok: true, data })}\n` : text && `${terminalText(text)}\n`,
    )
  }

  failure(error: Failure): void {
    if (this.isJson) process.stdout.write(`${JSON.stringify({ schema: this.#schema, ok: false, error })}\n`)
    else process.stderr.write(`${terminalText(describeFailure(error))}\n`)
  }

  /** Prints text without adding a line end; nothing with `--json`. */
  stream(text: string): void {
    if (!this.isJson) process.stdout.write(terminalText(text))
  }
}
