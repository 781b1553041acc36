import { describe, expect, it } from 'vitest'
import { StateText } from '../text/stateFile'
import { readTokens } from './tokens'

function tokens(text: string) {
  const { input, output, cached } = readTokens(new StateText('results/coder.json', text))
  return [input.value, output.value, cached.value]
}
const lines = (...events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('')
const none = [null, null, null]

describe('the tokens of', () => {
  it('Gemini CLI are summed up over its models', () => {
    const models = {
      pro: { tokens: { prompt: 100, candidates: 20, thoughts: 5, cached: 40, total: 125 } },
      flash: { tokens: { prompt: 10, candidates: 2, cached: 0 } },
    }
    expect(tokens(JSON.stringify({ response: 'x', stats: { models } }, null, 2))).toEqual([110, 27, 40])
  })

  it('Gemini CLI’s events are those of its last one', () => {
    expect(
      tokens(
        lines(
          { type: 'message', role: 'assistant', content: 'x' },
          { type: 'result', status: 'success', stats: { input_tokens: 7, output_tokens: 3, cached: 2 } },
        ),
      ),
    ).toEqual([7, 3, 2])
  })

  it.each([
    ['one object', (result: object) => JSON.stringify(result)],
    ['a list', (result: object) => JSON.stringify([{ type: 'system' }, result])],
    ['events', (result: object) => lines({ type: 'system', subtype: 'init' }, result)],
  ])('Claude Code as %s count what it wrote to and read from its cache as input', (_what, print) => {
    const usage = {
      input_tokens: 12,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 4_000,
      output_tokens: 50,
      server_tool_use: { web_search_requests: 0 },
    }
    expect(tokens(print({ type: 'result', subtype: 'success', result: 'x', usage }))).toEqual([4_312, 50, 4_000])
  })

  it('Codex CLI are summed up over its turns; those of its cache are among its input', () => {
    const turn = (input_tokens: number) => ({
      type: 'turn.completed',
      usage: { input_tokens, cached_input_tokens: 10, output_tokens: 5 },
    })
    expect(tokens(lines({ type: 'thread.started' }, turn(100), { type: 'turn.started' }, turn(20)))).toEqual([
      120, 10, 20,
    ])
    expect(tokens(`Reading prompt from stdin...\n${lines(turn(100))}`)).toEqual([100, 5, 10])
  })

  it.each(['msg', 'payload'])('Codex CLI’s running count (%s) are the last one', (name) => {
    const count = (input_tokens: number) => ({
      id: '1',
      [name]: {
        type: 'token_count',
        info: { total_token_usage: { input_tokens, cached_input_tokens: 3, output_tokens: 4 } },
      },
    })
    expect(tokens(lines(count(10), count(30)))).toEqual([30, 4, 3])
  })

  it('OpenCode are summed up over its steps', () => {
    const step = {
      type: 'step_finish',
      part: { tokens: { input: 5, output: 2, reasoning: 1, cache: { read: 3, write: 4 } } },
    }
    expect(tokens(lines(step, step))).toEqual([24, 6, 6])
  })
})

describe('tokens are unknown, never 0,', () => {
  it.each([
    ['without output', ''],
    ['for output that is none of these', 'all done\n'],
    ['for output that was cut off', '{"type":"result","usage":{"input_tok'],
    ['for an answer without counts', '{"status":"ok"}\n'],
    ['for a result without usage', '{"type":"result","result":"x"}'],
    ['for counts without information', lines({ msg: { type: 'token_count', info: null } })],
    ['for counts that are none', '{"type":"result","usage":{"input_tokens":"many","output_tokens":-1}}'],
    ['for an answer that only speaks of them', '{"type":"result","result":"\\"usage\\": {\\"input_tokens\\": 5}"}'],
  ])('%s', (_what, text) => expect(tokens(text)).toEqual(none))

  it('each alone', () => {
    expect(tokens('{"type":"result","usage":{"output_tokens":9}}')).toEqual([null, 9, null])
    expect(tokens('{"stats":{"models":{"m":{"tokens":{"prompt":1,"candidates":"?"}}}}}')).toEqual([1, null, null])
  })
})

it('A count names its line', () => {
  const text = lines({ type: 'thread.started' }, { type: 'turn.completed', usage: { input_tokens: 1 } })
  expect(readTokens(new StateText('coder.json', text)).input.source).toMatchObject({ file: 'coder.json', line: 2 })
})
