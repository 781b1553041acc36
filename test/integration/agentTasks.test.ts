/** Tasks that agents start: each runs on by itself, and waiting for one has a limit. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CommandLine } from '../support/commandLine'
import { ask, startAgent } from '../support/mcpClient'

let calls: CommandLine
const clients: Client[] = []
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
})
afterEach(async () => {
  await calls.run('task', 'stop-all')
  for (const client of clients.splice(0)) await client.close()
})
afterAll(() => calls.remove())

async function agent(): Promise<Client> {
  const client = await startAgent(calls, '--allow', 'change')
  clients.push(client)
  return client
}

const idIn = (text: string): string => /\d{4}_\w+/.exec(text)?.[0] ?? ''
const endless = { op: 'start', operation: 'read', args: '{"address":"$c200","length":1}', interval: 50 }

describe('a task of an agent', () => {
  it('is started at once, waited for with a limit, and goes on', async () => {
    const client = await agent()
    const started = await ask(client, 'tasks', endless)
    expect(started).toMatchObject({ isError: false, text: expect.stringContaining('in the background') as string })
    const id = idIn(started.text)
    const waited = await ask(client, 'tasks', { op: 'wait', id, timeout: 1 })
    expect(waited).toMatchObject({ isError: false, text: expect.stringMatching(/is running: run \d+\./) as string })
    expect(await calls.data('task', 'show', id)).toMatchObject({ task: { status: 'running' } })
    expect(await ask(client, 'tasks', { op: 'stop', id })).toMatchObject({ isError: false })
    expect(await ask(client, 'tasks', { op: 'wait', id })).toMatchObject({
      isError: true,
      text: expect.stringContaining('was stopped') as string,
    })
  })

  it('outlives its agent', async () => {
    const client = await agent()
    const id = idIn((await ask(client, 'tasks', endless)).text)
    await client.close()
    clients.splice(0)
    expect(await calls.data('task', 'show', id)).toMatchObject({ task: { status: 'running' } })
  })

  it('that runs once gives its result', async () => {
    const client = await agent()
    const ran = await ask(client, 'tasks', { op: 'run', operation: 'read', args: '{"address":"$e000","length":2}' })
    expect(ran).toMatchObject({ isError: false, text: expect.stringContaining('E000') as string })
  })

  it('on the command line is waited for in the same way', async () => {
    const client = await agent()
    const id = idIn((await ask(client, 'tasks', { ...endless, iterations: 2 })).text)
    expect(await calls.data('task', 'wait', id, '--timeout', '20')).toMatchObject({ running: false })
  })
})
