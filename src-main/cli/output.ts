import type { Failure } from '@shared/contract/errors'
import { printedText, toned, type Printed } from './printed'
import { ProgressLine } from './progressLine'
import type { StandardStreams } from './streams'
import { terminalOf, type Terminal } from './terminal'
import { terminalText } from './terminalText'

export interface Terminals {
  readonly results: Terminal
  readonly errors: Terminal
}

export const terminalsOf = (
  { stdout, stderr }: Pick<StandardStreams, 'stdout' | 'stderr'>,
  environment: NodeJS.ProcessEnv,
): Terminals => ({ results: terminalOf(stdout, environment), errors: terminalOf(stderr, environment) })

/** Prints results to standard output and errors to standard error; with `--json`, each as one object in a line. */
export class Output {
  readonly isJson: boolean
  readonly #schema: string
  readonly #terminals: Terminals
  readonly #progress: ProgressLine

  /** @param command such as `project needs`, or `usage` where the arguments name no command */
  constructor(command: string, isJson: boolean, terminals: Terminals, progress = new ProgressLine(terminals.errors)) {
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

  /** Prints text as it is, also with `--json`. */
  raw(text: string): void {
    this.#write(this.#terminals.results, text)
  }

  /** The same on standard error. */
  rawError(text: string): void {
    this.#write(this.#terminals.errors, text)
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
