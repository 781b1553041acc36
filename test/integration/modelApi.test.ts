/** The peer that stands for the services of agents' models: each wire as it is documented, and what it does on demand. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ModelApi } from '../peers/modelApi/modelApi'
import { inOrder, type Wire } from '../peers/modelApi/script'

let api: ModelApi
beforeEach(async () => {
  api = await ModelApi.start(inOrder(() => [{ run: 'ls' }, { say: 'Done.' }]))
})
afterEach(() => api.close())

interface Example {
  readonly path: string
  readonly streamPath: string
  readonly first: object
  /** Once its tool answered. */
  readonly second: object
  /** Of the stream's last event. */
  readonly end: string
}

const schema = { type: 'object', properties: {} }
const examples: Readonly<Record<Wire, Example>> = {
  anthropic: {
    path: '/v1/messages',
    streamPath: '/v1/messages',
    end: 'message_stop',
    first: {
      model: 'm',
      max_tokens: 9,
      tools: [{ name: 'Bash', input_schema: schema }],
      messages: [{ role: 'user', content: 'Do it.' }],
    },
    second: {
      model: 'm',
      max_tokens: 9,
      tools: [{ name: 'Bash', input_schema: schema }],
      messages: [
        { role: 'user', content: 'Do it.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'a.txt' }] },
      ],
    },
  },
  openai: {
    path: '/v1/responses',
    streamPath: '/v1/responses',
    end: 'response.completed',
    first: {
      model: 'm',
      tools: [{ type: 'function', name: 'exec_command', parameters: schema }],
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Do it.' }] }],
    },
    second: {
      model: 'm',
      tools: [{ type: 'function', name: 'exec_command', parameters: schema }],
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Do it.' }] },
        { type: 'function_call', call_id: 'c', name: 'exec_command', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'a.txt' },
      ],
    },
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    streamPath: '/v1beta/models/m:streamGenerateContent',
    end: 'usageMetadata',
    first: {
      tools: [{ functionDeclarations: [{ name: 'run_shell_command', parameters: schema }] }],
      contents: [{ role: 'user', parts: [{ text: 'Do it.' }] }],
    },
    second: {
      tools: [{ functionDeclarations: [{ name: 'run_shell_command', parameters: schema }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Do it.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'run_shell_command', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'run_shell_command', response: { output: 'a.txt' } } }] },
      ],
    },
  },
}

const post = (path: string, body: object): Promise<Response> =>
  fetch(new URL(path, api.url), { method: 'POST', body: JSON.stringify(body) })

describe.each(['anthropic', 'openai', 'gemini'] as const)('the service on the wire of %s', (wire) => {
  const { path, streamPath, first, second, end } = examples[wire]

  it('plays its script: a call of the program’s tool, then words, with what it counted', async () => {
    expect(await (await post(path, first)).text()).toMatch(/"ls"|\\"ls\\"/)
    expect(await (await post(path, second)).text()).toContain('Done.')
    expect(api.ledger.map(({ asked }) => [asked.wire, asked.prompt, asked.results.map(({ text }) => text)])).toEqual([
      [wire, 'Do it.', []],
      [wire, expect.stringContaining('Do it.'), [expect.stringContaining('a.txt')]],
    ])
    expect(api.tokensOf(wire)).toBe(2_100)
  })

  it('streams the same', async () => {
    const response = await post(streamPath, { ...second, stream: true })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const text = await response.text()
    expect(text).toContain('Done.')
    expect(text.trim().split('\n\n').at(-1)).toContain(end)
  })

  it('refuses with its status, its words and the time to wait, as often as it is told', async () => {
    api.misbehave({ status: 429, words: 'Slow down.', retryAfter: 7 }, 1)
    const refused = await post(path, first)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await refused.text()).toContain('Slow down.')
    expect((await post(path, first)).status).toBe(200)
    expect(api.ledger.map(({ usage }) => usage === null)).toEqual([true, false])
  })

  it('breaks off, says nothing, or says half', async () => {
    api.misbehave('cut')
    await expect(post(streamPath, { ...second, stream: true }).then((response) => response.text())).rejects.toThrow()
    api.misbehave('nothing')
    await expect(post(path, first)).rejects.toThrow('fetch failed')
    api.misbehave('halfJson')
    await expect(post(path, first).then((response) => response.json())).rejects.toThrow(SyntaxError)
    api.behave()
    expect((await post(path, first)).status).toBe(200)
  })
})

it('keeps a script that asks for a tool that is not there as an error', async () => {
  const response = await post(examples.anthropic.path, { ...examples.anthropic.first, tools: [{ name: 'Read' }] })
  expect(response.status).toBe(400)
  expect(String(api.errors[0])).toContain('among Read')
})
