import { textWidth } from './textWidth'
import { terminalText } from './terminalText'
import type { Terminal } from './terminal'

const BAR_WIDTH = 20
const ERASE = '\r\u001b[K'

export class ProgressLine {
  readonly #terminal: Terminal
  #shown = ''

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** @param share from 0 to 1; null where it is unknown */
  show(share: number | null, text: string): void {
    if (!this.#terminal.canMoveCursor) return
    const whole = share === null ? text : `${bar(share)} ${Math.floor(share * 100)} % ${text}`
    // A wrapped line could not be overwritten.
    const line = cut(terminalText(whole.replaceAll(/\s+/g, ' ')), this.#terminal.width - 1)
    if (line === this.#shown) return
    this.#terminal.write(`${ERASE}${line}`)
    this.#shown = line
  }

  clear(): void {
    if (this.#shown === '') return
    this.#terminal.write(ERASE)
    this.#shown = ''
  }
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH)
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full)
}

function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  for (const character of text) {
    if (textWidth(kept + character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}
