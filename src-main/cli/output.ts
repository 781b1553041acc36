import type { ErrorCode, Failure } from '@shared/contract/errors'
import type { CommandLineName } from './arguments'

export const EXIT_OK: number = 0
export const EXIT_FAILED = 1
const EXIT_USAGE = 2

const exitCodes: Partial<Record<ErrorCode, number>> = {
  UNREACHABLE: 3,
  LOST: 3,
  BRIDGE_DOWN: 3,
  UNSUPPORTED: 4,
  TIMEOUT: 5,
  CONFLICT: 6,
  CANCELLED: 130,
}

export const exitCode = ({ code, details }: Failure): number =>
  details?.usage ? EXIT_USAGE : (exitCodes[code] ?? EXIT_FAILED)

/** Results to standard output, errors to standard error in one sentence with what to do; with `--json` both as one object. */
export class Output {
  /** What the program ends with when nothing is thrown. */
  exitCode = EXIT_OK
  readonly #schema: string
  readonly #json: boolean

  constructor(command: CommandLineName | 'usage', json: boolean) {
    this.#schema = `bridgedeck.${command.replace(' ', '.')}/1`
    this.#json = json
  }

  /** `data` is what `--json` prints, bytes as hex strings; `text` is for people. */
  result(data: object, text: string): void {
    process.stdout.write(
      this.#json ? `${JSON.stringify({ schema: this.#schema, ok: true, data })}\n` : text && `${text}\n`,
    )
  }

  failure(error: Failure): void {
    if (this.#json) process.stdout.write(`${JSON.stringify({ schema: this.#schema, ok: false, error })}\n`)
    else process.stderr.write(`${error.message}${error.hint ? ` ${error.hint}` : ''}\n`)
  }
}
