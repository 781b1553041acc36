import { describe, expect, it } from 'vitest'
import { Output } from './output'
import type { Terminal } from './terminal'

function output(isTerminal: boolean) {
  const written: string[] = []
  const terminal: Terminal = {
    write: (text) => void written.push(text),
    width: 40,
    hasColours: false,
    canMoveCursor: isTerminal,
  }
  return { written, output: new Output('recording export', false, { results: terminal, errors: terminal }) }
}

describe('the progress of a command', () => {
  it('is one line that is written over, and gone before anything else is printed', () => {
    const { written, output: on } = output(true)
    on.progress(0.25, 'Exporting 0001_recording')
    on.progress(0.25, 'Exporting 0001_recording')
    on.progress(null, 'Executing\nTask\u001b[2J')
    on.as('recording line').result({}, 'Saved.')
    on.clearProgress()
    expect(written).toEqual([
      '\r\u001b[K█████░░░░░░░░░░░░░░░ 25 % Exporting 00…',
      '\r\u001b[KExecuting Task\\u001b[2J',
      '\r\u001b[K',
      'Saved.\n',
    ])
  })

  it('is not shown where standard error is no terminal', () => {
    const { written, output: on } = output(false)
    on.progress(0.5, 'Exporting')
    on.failure({ code: 'TIMEOUT', message: 'Too slow.' })
    expect(written).toEqual(['Too slow.\n'])
  })
})
