import { Output } from './output'
import { ProgressLine } from './progressLine'
import type { Printed } from './printed'
import type { Terminal } from './terminal'

/** Keeps what a command says, for those who are no terminal: its data, and its text without colours. */
export class CapturedOutput extends Output {
  #data: object = {}
  readonly #texts: string[]
  readonly #onProgress: (share: number | null, text: string) => void

  constructor(command: string, onProgress: (share: number | null, text: string) => void = () => undefined) {
    const texts: string[] = []
    const paper: Terminal = {
      write: (text) => texts.push(text),
      ...{ width: Infinity, hasColours: false, canMoveCursor: false },
    }
    super(command, false, { results: paper, errors: paper }, new ProgressLine(paper))
    this.#texts = texts
    this.#onProgress = onProgress
  }

  override result(data: object, printed: Printed): void {
    this.#data = data
    super.result(data, printed)
  }

  override progress(share: number | null, text: string): void {
    this.#onProgress(share, text)
  }

  get data(): object {
    return this.#data
  }

  get text(): string {
    return this.#texts.join('').trimEnd()
  }
}
