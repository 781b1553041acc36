import type { OutputStream } from './streams'

/** An output stream, and what it can show. */
export interface Terminal {
  readonly write: (text: string) => void
  /** Columns at this moment; Infinity where it is no terminal. */
  readonly width: number
  readonly hasColours: boolean
  /** What was written in a line can be written over. */
  readonly canMoveCursor: boolean
}

/** Of terminals that do not tell theirs. */
const DEFAULT_WIDTH = 80

export function terminalOf(stream: OutputStream, environment: NodeJS.ProcessEnv): Terminal {
  const isTerminal = stream.isTTY === true
  const canMoveCursor = isTerminal && environment.TERM !== 'dumb'
  return {
    write: (text) => void stream.write(text),
    get width() {
      return isTerminal ? stream.columns || DEFAULT_WIDTH : Infinity
    },
    // Any value but an empty one: no-color.org.
    hasColours: canMoveCursor && !environment.NO_COLOR,
    canMoveCursor,
  }
}
