import type { Loop, LoopLine, LogLevel } from '@shared/contract/loops'
import type { Output } from '../../output'
import { terminalText } from '../../terminalText'

export const printLine =
  (output: Output) =>
  (line: LoopLine, isEnd: boolean): void => {
    if (output.isJson) output.result({ line }, '')
    else if (!isEnd) print(output, line.level, line.text)
  }

export function printEnd(output: Output, loop: Loop): void {
  if (output.isJson) output.result({ loop }, '')
  else for (const text of [loop.message, loop.hint]) if (text !== null) print(output, 'info', text)
}

const print = (output: Output, level: LogLevel, text: string) =>
  output.rawError(`[${level.toUpperCase()}] maestro: ${terminalText(text)}\n`)
