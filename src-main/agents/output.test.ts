import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { presetNames } from '@shared/agentPresets'
import { MAX_ANSWER_CHARACTERS, MAX_PLAIN_CHARACTERS, outputReaders, type Said } from './output'

/** Of a program that names no model. */
const use = (input: number | null, output: number | null, cacheRead: number | null, cacheWrite: number | null) => ({
  model: null,
  input,
  output,
  cacheRead,
  cacheWrite,
})

function read(preset: (typeof presetNames)[number], ...lines: (string | object)[]): Said {
  const reader = outputReaders[preset]()
  for (const line of lines) reader.line(typeof line === 'string' ? line : JSON.stringify(line))
  return reader.said
}

describe('what OpenCode prints', () => {
  const text = (messageID: string, words: string) => ({ type: 'text', part: { messageID, type: 'text', text: words } })
  const step = (tokens: object, cost = 0.01) => ({ type: 'step_finish', part: { type: 'step-finish', tokens, cost } })

  it('tells the texts of its last message, and the sums of its steps', () => {
    const said = read(
      'opencode',
      { type: 'step_start', part: {} },
      text('a', 'I look first.'),
      step({ input: 10, output: 2, reasoning: 1, cache: { read: 5, write: 0 } }),
      text('b', 'It is '),
      text('b', 'done.'),
      step({ input: 3, output: 4 }),
    )
    expect(said).toEqual({
      data: 'It is done.',
      error: null,
      limit: null,
      tokens: 25,
      uses: [use(13, 7, 5, 0)],
      cost: 0.02,
      turns: 2,
      isOver: true,
      hasWorked: true,
    })
  })

  it('gets through a message of many more pieces than are kept of it', () => {
    const reader = outputReaders.opencode()
    const line = JSON.stringify(text('a', 'x'.repeat(64)))
    for (let piece = 0; piece < 100_000; piece++) reader.line(line)
    reader.line(JSON.stringify(text('a', ' the end')))
    expect(reader.said.data).toHaveLength(MAX_ANSWER_CHARACTERS)
    expect(reader.said.data).toMatch(/^x.* the end$/)
  })

  it.each([
    ['in its data', { name: 'ProviderAuthError', data: { message: 'no key' } }],
    ['itself', { message: 'no key' }],
    ['in words', 'no key'],
  ])('tells an error that says why %s', (_, error) => {
    expect(read('opencode', { type: 'error', error })).toMatchObject({ error: 'no key' })
  })
})

describe('what Claude Code prints', () => {
  const message = (id: string, text: string, output_tokens: number) => ({
    type: 'assistant',
    message: {
      id,
      content: [{ type: 'text', text }, { type: 'tool_use' }],
      usage: { input_tokens: 10, output_tokens },
    },
  })

  it('tells turns and tokens while it runs: a message in several events is one turn, and its last usage counts', () => {
    expect(read('claude', message('a', 'one', 1), message('a', 'one more', 5), message('b', 'two', 7))).toEqual({
      data: 'two',
      error: null,
      limit: null,
      tokens: 32,
      uses: [use(20, 12, null, null)],
      cost: null,
      turns: 2,
      isOver: false,
      hasWorked: true,
    })
  })

  it('has a line of its answer to show, and none while it prints no events', () => {
    const reader = outputReaders.claude()
    reader.line('Loading…')
    expect(reader.summary).toBeNull()
    reader.line(JSON.stringify({ type: 'system', subtype: 'init' }))
    expect(reader.summary).toBe('')
    reader.line(JSON.stringify(message('a', `Task 02-03\n\n  is done. ${'x'.repeat(1_000)}`, 1)))
    expect(reader.summary).toMatch(/^Task 02-03 is done\. x{1,200}$/)
  })

  it('tells the answer, the cost and the turns at its end', () => {
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'done',
      num_turns: 4,
      total_cost_usd: 0,
      usage: { input_tokens: 1, output_tokens: 2 },
    }
    expect(read('claude', message('a', 'one', 1), result)).toEqual({
      data: 'done',
      error: null,
      limit: null,
      tokens: 3,
      uses: [use(1, 2, null, null)],
      cost: 0,
      turns: 4,
      isOver: true,
      hasWorked: true,
    })
    expect(read('claude', JSON.stringify([message('a', 'one', 1), result]))).toMatchObject({ data: 'done', tokens: 3 })
  })

  it('tells an error by its flag or its subtype, and a limit by its subtype', () => {
    expect(
      read('claude', { type: 'result', subtype: 'success', is_error: true, result: 'Invalid API key' }),
    ).toMatchObject({ error: 'Invalid API key', data: 'Invalid API key' })
    expect(
      read('claude', { type: 'result', subtype: 'error_during_execution', errors: ['first', { message: 'second' }] }),
    ).toMatchObject({ error: 'first second' })
    expect(read('claude', { type: 'result', subtype: 'error_max_turns', is_error: true })).toMatchObject({
      error: null,
      limit: 'turns',
    })
    expect(read('claude', { type: 'result', subtype: 'error_max_budget_usd', is_error: true })).toMatchObject({
      error: null,
      limit: 'cost',
    })
  })
})

describe('what Gemini CLI prints', () => {
  it('is its answer in pieces, with its tokens at the end', () => {
    const piece = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true })
    expect(
      read('gemini', { type: 'message', role: 'user', content: 'asked' }, piece('an '), piece('answer'), {
        type: 'result',
        status: 'success',
        stats: { total_tokens: 9, input_tokens: 5, output_tokens: 3 },
      }),
    ).toEqual({
      data: 'an answer',
      error: null,
      limit: null,
      tokens: 9,
      uses: [use(5, 4, null, null)],
      cost: null,
      turns: null,
      isOver: true,
      hasWorked: true,
    })
  })

  it('is one object over many lines where it was asked for that, of which the models’ tokens are added up', () => {
    const object = {
      response: 'an answer',
      stats: { models: { fast: { tokens: { total: 4 } }, smart: { tokens: { total: 5 } }, idle: {} } },
    }
    expect(read('gemini', 'Loaded cached credentials.', ...JSON.stringify(object, null, 2).split('\n'))).toMatchObject({
      data: 'an answer',
      tokens: 9,
      error: null,
    })
    const failed = { error: { type: 'ApiError', message: 'quota', code: 429 } }
    expect(read('gemini', ...JSON.stringify(failed, null, 2).split('\n'))).toMatchObject({
      error: 'quota',
      tokens: null,
    })
  })

  it('tells an error that it recovered from, and one that it did not', () => {
    const error = { type: 'error', severity: 'error', message: 'try again' }
    expect(read('gemini', error, { type: 'result', status: 'success' })).toMatchObject({ error: null })
    expect(read('gemini', error, { type: 'result', status: 'error' })).toMatchObject({ error: 'try again' })
    expect(read('gemini', { ...error, severity: 'warning' })).toMatchObject({ error: null })
  })
})

describe('what Codex CLI prints', () => {
  const said = (text: string, type = 'agent_message') => ({ type: 'item.completed', item: { type, text } })

  it('is its last message, and its tokens, cached ones among the input', () => {
    expect(
      read('codex', said('thinking', 'reasoning'), said('first'), said('last'), {
        type: 'turn.completed',
        usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2 },
      }),
    ).toMatchObject({ data: 'last', tokens: 12, error: null })
    expect(
      read('codex', { type: 'item.completed', item: { item_type: 'assistant_message', text: 'of an early version' } }),
    ).toMatchObject({ data: 'of an early version', tokens: null })
  })

  it('is an error unless a turn was completed after it', () => {
    const failed = [
      { type: 'error', message: 'reconnecting' },
      { type: 'turn.failed', error: { message: 'usage limit' } },
    ]
    expect(read('codex', ...failed)).toMatchObject({ error: 'usage limit' })
    expect(read('codex', ...failed, { type: 'turn.completed' })).toMatchObject({ error: null, tokens: null })
  })
})

describe('tokens are told apart, each counted once,', () => {
  it('by Claude Code: those that came from the cache and those written into it, for its model', () => {
    const usage = {
      input_tokens: 12,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 4_000,
      output_tokens: 50,
    }
    const message = { type: 'assistant', message: { id: 'a', model: 'opus', usage, content: [] } }
    const uses = [{ ...use(12, 50, 4_000, 300), model: 'opus' }]
    expect(read('claude', message)).toMatchObject({ tokens: 4_362, uses })
    expect(read('claude', message, { type: 'result', usage })).toMatchObject({ tokens: 4_362, uses })
  })

  it('by Codex CLI, whose input holds the cached ones; it does not tell what was written', () => {
    const usage = { input_tokens: 1_000, cached_input_tokens: 200, output_tokens: 50 }
    expect(read('codex', { type: 'turn.completed', usage }).uses).toEqual([use(800, 50, 200, null)])
  })

  it('by Gemini CLI for each model, with thoughts as output, in events and in one object', () => {
    const models = { pro: { total_tokens: 145, input_tokens: 100, output_tokens: 40, cached: 30 } }
    const uses = [{ ...use(70, 45, 30, null), model: 'pro' }]
    expect(read('gemini', { type: 'result', stats: { total_tokens: 145, models } }).uses).toEqual(uses)
    const tokens = { prompt: 100, candidates: 40, cached: 30, thoughts: 5, total: 145 }
    expect(read('gemini', { response: 'x', stats: { models: { pro: { tokens } } } }).uses).toEqual(uses)
  })
})

describe('whatever is printed', () => {
  it('is the answer where it has no event that the preset knows, so that a wrapper’s plain text is not lost', () => {
    for (const preset of presetNames)
      expect(read(preset, 'plain', 'text')).toMatchObject({
        data: 'plain\ntext',
        tokens: null,
        cost: null,
        turns: null,
        error: null,
      })
  })

  it('is passed over where it is wrong, never taken for a number', () => {
    const wrong = {
      type: 'result',
      subtype: 3,
      result: { nested: true },
      total_cost_usd: -1,
      num_turns: 'many',
      usage: { input_tokens: 1e999, output_tokens: null },
    }
    expect(read('claude', wrong)).toEqual({
      data: '',
      error: null,
      limit: null,
      tokens: null,
      uses: [],
      cost: null,
      turns: null,
      isOver: true,
    })
    expect(read('gemini', { type: 'result', stats: { total_tokens: '9', models: 7 } })).toMatchObject({ tokens: null })
    expect(read('codex', { type: 'turn.completed', usage: 'none' })).toMatchObject({ tokens: null })
  })

  it('never throws, and its answer has its bounds', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...presetNames),
        fc.array(
          fc.oneof(
            fc.string(),
            fc.json(),
            fc.constantFrom(
              '{',
              '}',
              '[',
              '{"type":"result"}',
              '{"type":"assistant","message":{}}',
              '{"type":"turn.completed","usage":{}}',
            ),
          ),
        ),
        (preset, lines) => {
          const said = read(preset, ...lines)
          expect(typeof said.data).toBe('string')
          expect(said.tokens ?? 0).toBeGreaterThanOrEqual(0)
        },
      ),
    )
    const long = {
      type: 'result',
      result: 'x'.repeat(MAX_ANSWER_CHARACTERS + 1),
      response: 'x'.repeat(MAX_ANSWER_CHARACTERS + 1),
    }
    for (const preset of ['claude', 'gemini'] as const)
      expect(read(preset, long).data).toHaveLength(MAX_ANSWER_CHARACTERS)
    for (const preset of presetNames) {
      const { data } = read(preset, ...new Array<string>(40).fill('x'.repeat(100_000)), 'the end')
      expect(data).toHaveLength(MAX_PLAIN_CHARACTERS - 1)
      expect(data.endsWith('the end')).toBe(true)
    }
  })
})

describe('an empty result of Claude Code', () => {
  it('does not hide the answer of its last message', () => {
    const reader = outputReaders.claude()
    reader.line('{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Done."}]}}')
    reader.line('{"type":"result","subtype":"success","is_error":false,"result":""}')
    expect(reader.said).toMatchObject({ data: 'Done.', isOver: true, error: null })
  })
})
