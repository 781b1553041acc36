import { AppError } from '@shared/contract/errors'
import { Output } from './output'
import { ProgressLine } from './progressLine'
import type { Printed } from './printed'
import type { Terminal } from './terminal'

const MAX_LENGTH = 16_000_000

export class CapturedOutput extends Output {
  #data: object = {}
  readonly #texts: string[]
  readonly #onProgress: (share: number | null, text: string) => void

  constructor(command: string, onProgress: (share: number | null, text: string) => void = () => undefined) {
    const texts: string[] = []
    let length = 0
    const paper: Terminal = {
      write: (text) => {
        length += text.length
        if (length > MAX_LENGTH)
          throw new AppError('INVALID', 'The answer is longer than 16 million characters.', { hint: 'Ask for less.' })
        texts.push(text)
      },
      width: Infinity,
      hasColours: false,
      canMoveCursor: false,
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
