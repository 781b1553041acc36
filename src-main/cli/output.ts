import type { Failure } from '@shared/contract/errors'
import { printedText, toned, type Printed } from './printed'
import { ProgressLine } from './progressLine'
import { terminalOf, type Terminal } from './terminal'
import { terminalText } from './terminalText'

export interface Terminals {
  readonly results: Terminal
  readonly errors: Terminal
}

const processTerminals = (): Terminals => ({
  results: terminalOf(process.stdout, process.env),
  errors: terminalOf(process.stderr, process.env),
})

/** Prints results to standard output and errors to standard error; with `--json`, each as one object in a line. */
export class Output {
  readonly isJson: boolean
  readonly #schema: string
  readonly #terminals: Terminals
  readonly #progress: ProgressLine

  /** @param command such as `project needs`, or `usage` where the arguments name no command */
  constructor(
    command: string,
    isJson: boolean,
    terminals = processTerminals(),
    progress = new ProgressLine(terminals.errors),
  ) {
    this.isJson = isJson
    this.#schema = `bridgedeck.${command.replace(' ', '.')}/1`
    this.#terminals = terminals
    this.#progress = progress
  }

  /** The same with another schema. */
  as(command: string): Output {
    return new Output(command, this.isJson, this.#terminals, this.#progress)
  }

  /** Columns of the terminal; Infinity where results go elsewhere. */
  get width(): number {
    return this.#terminals.results.width
  }

  /** @param data printed with `--json`; bytes as hex strings @param printed otherwise, unless it is empty */
  result(data: object, printed: Printed): void {
    const { results } = this.#terminals
    const text = this.isJson ? JSON.stringify({ schema: this.#schema, ok: true, data }) : printedText(printed, results)
    if (text !== '') this.#write(results, `${text}\n`)
  }

  failure(error: Failure): void {
    const { errors } = this.#terminals
    const { message, hint } = error
    const text = this.isJson
      ? JSON.stringify({ schema: this.#schema, ok: false, error })
      : [printedText(toned('bad', message), errors), terminalText(hint ?? '')].filter(Boolean).join(' ')
    this.#write(errors, `${text}\n`)
  }

  /** Prints what has no data; nothing with `--json`. */
  print(printed: Printed): void {
    if (!this.isJson) this.result({}, printed)
  }

  /** Prints text without adding a line end; nothing with `--json`. */
  stream(text: string): void {
    if (!this.isJson) this.#write(this.#terminals.results, terminalText(text))
  }

  /** Shows on the terminal how far something is, until the next result. @param share from 0 to 1; null where it is unknown */
  progress(share: number | null, text: string): void {
    this.#progress.show(share, text)
  }

  clearProgress(): void {
    this.#progress.clear()
  }

  #write(terminal: Terminal, text: string): void {
    this.clearProgress()
    terminal.write(text)
  }
}
