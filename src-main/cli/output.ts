import { describeFailure, type Failure } from '@shared/contract/errors'
import { terminalText } from './terminalText'

/** Prints results to standard output and errors to standard error; with `--json`, each as one object in a line. */
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
    process.stderr.write(
      this.isJson
        ? `${JSON.stringify({ schema: this.#schema, ok: false, error })}\n`
        : `${terminalText(describeFailure(error))}\n`,
    )
  }

  /** Prints text without adding a line end; nothing with `--json`. */
  stream(text: string): void {
    if (!this.isJson) process.stdout.write(terminalText(text))
  }
}
