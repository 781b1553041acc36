import { afterEach, describe, expect, it, vi } from 'vitest'
import { Output, terminalsOf } from './output'

describe('what is printed', () => {
  afterEach(() => vi.restoreAllMocks())

  it('does not command the terminal, a failure neither', () => {
    const printed: string[] = []
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((text) => {
        printed.push(String(text))
        return true
      })
    const output = new Output('read', false, terminalsOf(process, {}))
    output.result({}, 'a\tb\nc\u001b[31m')
    output.failure({ code: 'INVALID', message: 'x\u0007', hint: 'y\u202e' })
    expect(printed).toEqual(['a\tb\nc\\u001b[31m\n', 'x\\u0007 y\\u202e\n'])
  })
  it('is one object in a line with --json, an error on standard error', () => {
    const printed: [string, unknown][] = []
    for (const name of ['stdout', 'stderr'] as const)
      vi.spyOn(process[name], 'write').mockImplementation((text) => {
        printed.push([name, JSON.parse(String(text))])
        return true
      })
    const output = new Output('task run', true, terminalsOf(process, {}))
    output.stream('not a word')
    output.result({ id: 1 }, 'not a word')
    output.failure({ code: 'INVALID', message: 'no' })
    expect(printed).toEqual([
      ['stdout', { schema: 'bridgedeck.task.run/1', ok: true, data: { id: 1 } }],
      ['stderr', { schema: 'bridgedeck.task.run/1', ok: false, error: { code: 'INVALID', message: 'no' } }],
    ])
  })
})
