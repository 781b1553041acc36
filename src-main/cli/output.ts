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

export class Output {
  readonly isJson: boolean
  readonly #schema: string
  readonly #terminals: Terminals
  readonly #progress: ProgressLine

  constructor(command: string, isJson: boolean, terminals: Terminals, progress = new ProgressLine(terminals.errors)) {
    this.isJson = isJson
    this.#schema = `bridgedeck.${command.replace(' ', '.')}/1`
    this.#terminals = terminals
    this.#progress = progress
  }

  as(command: string): Output {
    return new Output(command, this.isJson, this.#terminals, this.#progress)
  }

  get width(): number {
    return this.#terminals.results.width
  }

  /**
   * @param data printed with `--json`; bytes as hex strings
   * @param printed printed otherwise
   */
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

  print(printed: Printed): void {
    if (!this.isJson) this.result({}, printed)
  }

  stream(text: string): void {
    if (!this.isJson) this.#write(this.#terminals.results, terminalText(text))
  }

  raw(text: string): void {
    this.#write(this.#terminals.results, text)
  }

  rawError(text: string): void {
    this.#write(this.#terminals.errors, text)
  }

  /**
   * Stays on the terminal until the next result.
   * @param share from 0 to 1; null where it is unknown
   */
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
