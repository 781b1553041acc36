/** What the server offers beside tools: completions, log messages, questions to the person, links to long answers, streams that go on. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine } from '../support/commandLine'
import { startServer, stopServers } from '../support/httpServer'
import { ask, connectAgent } from '../support/mcpClient'

let calls: CommandLine
const clients: Client[] = []
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})
afterAll(async () => {
  await stopServers()
  await calls.remove()
})

/** @param allows what the person says to each question; undefined for a program that cannot ask */
async function agent(allows?: boolean, ...words: string[]) {
  const questions: string[] = []
  const capabilities = allows === undefined ? {} : { elicitation: {} }
  const client = new Client({ name: 'test', version: '1' }, { capabilities })
  if (allows !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message)
      return allows ? { action: 'accept', content: { allow: true } } : { action: 'decline' }
    })
  clients.push(await connectAgent(client, calls, ...words))
  return { client, questions }
}

const write = { op: 'write', address: '$c000', bytes: '01' }

describe('a right that is missing, where no window asks', () => {
  it('is asked for in the program of the agent, once for the session', async () => {
    const { client, questions } = await agent(true)
    expect(await ask(client, 'memory', write)).toMatchObject({ isError: false })
    expect(await ask(client, 'memory', write)).toMatchObject({ isError: false })
    expect(questions).toEqual([expect.stringMatching(/^May the agent .*\? It wants to: memory write address: \$c000/)])
  })

  it('stays missing where the person declines, and is asked for again in the next call', async () => {
    const { client, questions } = await agent(false)
    for (let call = 0; call < 2; call++) expect((await ask(client, 'memory', write)).text).toContain('--allow change')
    expect(questions).toHaveLength(2)
  })

  it('is told with what would allow it where the program cannot ask', async () => {
    const { client } = await agent()
    expect((await ask(client, 'memory', write)).text).toContain('--allow change')
  })
})

it('Machines are completed in the addresses of resources', async () => {
  const { client } = await agent()
  const complete = async (value: string) => {
    const ref = { type: 'ref/resource' as const, uri: 'bridgedeck://{machine}/screen' }
    return (await client.complete({ ref, argument: { name: 'machine', value } })).completion.values
  }
  expect(await complete('bu')).toEqual(['builtin'])
  expect(await complete('nothing')).toEqual([])
})

it('A long answer has a link by which the whole is read', async () => {
  const { client } = await agent()
  const answer = CallToolResultSchema.parse(
    await client.callTool({ name: 'memory', arguments: { op: 'read', address: '$a000', length: 4096 } }),
  )
  const link = answer.content.find((part) => part.type === 'resource_link')
  const { contents } = await client.readResource({ uri: link?.uri ?? '' })
  const [whole] = contents
  expect(whole && 'text' in whole && whole.text.trimEnd().split('\n').length).toBeGreaterThanOrEqual(256)
  await expect(client.readResource({ uri: 'bridgedeck://answer/a999' })).rejects.toThrow()
})

it('A stream that was cut goes on where it was', async () => {
  const { url, token } = await startServer(calls, '--allow', 'change')
  const { cutting, resumed } = cutOnce()
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
    fetch: cutting,
    reconnectionOptions: {
      initialReconnectionDelay: 10,
      maxReconnectionDelay: 100,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 5,
    },
  })
  const client = new Client({ name: 'cut', version: '1' })
  await client.connect(transport)
  clients.push(client)
  const { text } = await ask(client, 'run', { op: 'assembly', source: 'loop jmp loop', frames: 50, screen: true })
  expect(text).toContain('runs on builtin')
  expect(resumed).toHaveLength(1)
})

/** Ends the body of the first answer to a call of a tool after its first event, which only has an id. */
function cutOnce(): { readonly cutting: typeof fetch; readonly resumed: readonly string[] } {
  let isCut = false
  const resumed: string[] = []
  const cutting: typeof fetch = async (input, init) => {
    const last = new Headers(init?.headers).get('last-event-id')
    if (last !== null) resumed.push(last)
    const response = await fetch(input, init)
    const isCall = typeof init?.body === 'string' && init.body.includes('tools/call')
    if (isCut || !isCall || !response.body) return response
    isCut = true
    const reader = response.body.getReader()
    const first = await reader.read()
    await reader.cancel()
    const cut = new ReadableStream({
      start: (controller) => {
        controller.enqueue(first.value)
        controller.close()
      },
    })
    return new Response(cut, response)
  }
  return { cutting, resumed }
}
