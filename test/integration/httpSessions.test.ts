/** Sessions of agents over HTTP and WebSockets of scripts: how they end, and how many there may be. */
import { once } from 'node:events'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Limits } from '../../src-main/cli/http/limits'
import { CommandLine } from '../support/commandLine'
import { bearer, connectAgent, serveHere, type ServerHere } from '../support/httpServer'
import { ask } from '../support/mcpClient'
import { send } from '../support/rawHttp'

let calls: CommandLine
const opened: { stop(): unknown }[] = []
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
})
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop()
})
afterAll(() => calls.remove())

async function serve(limits: Partial<Limits> = {}): Promise<ServerHere> {
  const server = await serveHere(calls, limits)
  opened.push(server)
  return server
}

async function agentOf(server: ServerHere): Promise<Client> {
  const client = await connectAgent(server)
  opened.push({ stop: () => client.close() })
  return client
}

describe('sessions of agents', () => {
  it('end with DELETE, after a time without use, and when the server ends', async () => {
    const server = await serve({ idleMs: 500 })
    const deleted = await agentOf(server)
    const { transport } = deleted
    if (!(transport instanceof StreamableHTTPClientTransport)) throw new Error('It is connected otherwise.')
    const session = transport.sessionId ?? ''
    await transport.terminateSession()
    await expect.poll(() => server.server.open.sessions).toBe(0)
    const later = await send(server, '/mcp', { headers: { ...bearer(server), 'Mcp-Session-Id': session }, body: '{}' })
    expect([later.status, later.text]).toEqual([404, expect.stringContaining('This session has ended.')])

    const stays = await agentOf(server)
    const leaves = await agentOf(server)
    expect(server.server.open.sessions).toBe(2)
    await leaves.close()
    // Of the other, the stream is open.
    await expect.poll(() => server.server.open.sessions).toBe(1)
    expect(await ask(stays, 'machine', { op: 'list' })).toMatchObject({ isError: false })
    await server.stop()
    expect(server.server.open.sessions).toBe(0)
  })

  it('that were left give way to new ones, those in use do not', async () => {
    const server = await serve({ sessions: 3 })
    for (let count = 0; count < 10; count++) await (await agentOf(server)).close()
    expect(server.server.open.sessions).toBeLessThanOrEqual(3)
    const inUse = await Promise.all([1, 2, 3].map(() => agentOf(server)))
    await expect(connectAgent(server)).rejects.toThrow('3 sessions of agents are at work already.')
    for (const client of inUse) expect(await ask(client, 'machine', { op: 'list' })).toMatchObject({ isError: false })
  })

  it('run so much at once, and what is cancelled makes room', async () => {
    const server = await serve({ requestsOfOne: 3 })
    const client = await agentOf(server)
    const stop = new AbortController()
    const waits = [1, 2].map(() =>
      client.callTool({ name: 'see', arguments: { op: 'screen', wait_for: 'never', timeout: 600 } }, undefined, {
        signal: stop.signal,
      }),
    )
    const ended = Promise.allSettled(waits)
    await expect
      .poll(() => ask(client, 'machine', { op: 'list' }).catch(String))
      .toContain('at most 3 requests at once')
    stop.abort()
    await ended
    await expect.poll(() => ask(client, 'machine', { op: 'list' }).catch(String)).toMatchObject({ isError: false })
  })

  it.each([
    ['[]', 400, 'Send one message in each request.'],
    ['{', 400, 'The body of the request is no JSON.'],
    ['{}', 400, 'A session begins with “initialize”.'],
    ['', 400, 'A session begins with “initialize”.'],
  ])('do not begin with %s', async (body, status, message) => {
    const server = await serve()
    const answer = await send(server, '/mcp', { headers: bearer(server), body })
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(message)])
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', id: null })
    expect(await send(server, '/mcp', { method: 'PUT', headers: bearer(server) })).toMatchObject({ status: 405 })
    expect(server.server.open.sessions).toBe(0)
  })
})

describe('a WebSocket', () => {
  const open = async (server: ServerHere): Promise<WebSocket> => {
    const socket = new WebSocket(new URL('/api/events', server.url.replace('http', 'ws')), { headers: bearer(server) })
    opened.push({ stop: () => socket.terminate() })
    await once(socket, 'open')
    return socket
  }

  it('whose client never reads is dropped, and takes no memory meanwhile', async () => {
    const server = await serve({ stalledMs: 1_000 })
    const socket = await open(server)
    const frames = { kind: 'frames', id: 'a', rate: 50, picture: true, memory: [{ address: 0, length: 65_536 }] }
    socket.send(JSON.stringify(frames))
    await once(socket, 'message')
    socket.pause()
    await expect.poll(() => server.server.open.sockets).toBe(0)
  })

  it('that floods is closed, and so is one with a message that is too long', async () => {
    const server = await serve()
    const flood = await open(server)
    for (let count = 0; count < 1_000; count++) flood.send('{"kind":"stop","id":"a"}')
    expect((await once(flood, 'close'))[0]).toBe(1008)
    const long = await open(server)
    long.send('x'.repeat(100_000))
    expect((await once(long, 'close'))[0]).toBe(1009)
    await expect.poll(() => server.server.open.sockets).toBe(0)
  })

  it('is one of so many', async () => {
    const server = await serve({ sockets: 2 })
    await Promise.all([open(server), open(server)])
    const refused = new WebSocket(new URL('/api/events', server.url.replace('http', 'ws')), { headers: bearer(server) })
    refused.on('error', () => undefined)
    const [, response] = (await once(refused, 'unexpected-response')) as [unknown, { statusCode: number }]
    expect(response.statusCode).toBe(429)
  })

  it.each([
    '',
    'x',
    '[]',
    '{}',
    '{"kind":"frames","id":"a","rate":51}',
    '{"kind":"subscribe","events":["settings.changed"]}',
  ])('is told that it sent no message: %s', async (sent) => {
    const socket = await open(await serve())
    socket.send(sent)
    expect(JSON.parse(String((await once(socket, 'message'))[0]))).toMatchObject({
      kind: 'failed',
      id: null,
      error: { code: 'INVALID' },
    })
  })
})
