import type { OutputStream } from './streams'

export interface Terminal {
  readonly write: (text: string) => void
  /** Columns; Infinity where it is no terminal. */
  readonly width: number
  readonly hasColours: boolean
  readonly canMoveCursor: boolean
}

const DEFAULT_WIDTH = 80

export function terminalOf(stream: OutputStream, environment: NodeJS.ProcessEnv): Terminal {
  const isTerminal = stream.isTTY === true
  const canMoveCursor = isTerminal && environment.TERM !== 'dumb'
  return {
    write: (text) => void stream.write(text),
    get width() {
      return isTerminal ? stream.columns || DEFAULT_WIDTH : Infinity
    },
    // Any non-empty value: no-color.org.
    hasColours: canMoveCursor && !environment.NO_COLOR,
    canMoveCursor,
  }
}
