/** What the server over HTTP does with web pages, floods, readers that never read and clients that go without a word. */
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Limits } from '../../src-main/cli/http/limits'
import { CommandLine } from '../support/commandLine'
import { bearer, serveHere, type ServerHere } from '../support/httpServer'
import { closing, rawSocket, send, upgrade } from '../support/rawHttp'

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

function raw(server: ServerHere): Socket {
  const socket = rawSocket(server)
  opened.push({ stop: () => socket.destroy() })
  return socket
}

const doors = [
  ['an operation', '/api/machine/list', { method: 'POST' }],
  ['the page', '/api', { method: 'GET' }],
  ['its description', '/api/openapi.json', { method: 'GET' }],
  ['agents', '/mcp', { method: 'POST', body: '{}' }],
  ['events', '/api/events', { method: 'GET', headers: upgrade }],
  ['nothing', '/', { method: 'GET' }],
] as const

describe('a web page', () => {
  it.each(doors)('cannot reach %s', async (_, path, asked) => {
    const server = await serve()
    const { host, port } = new URL(server.url)
    const withHeaders = (headers: Record<string, string>) =>
      send(server, path, {
        ...asked,
        headers: { ...bearer(server), ...('headers' in asked ? asked.headers : {}), ...headers },
      })
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `https://${host}` },
      { Origin: 'http://localhost' },
      { Origin: `http://127.0.0.1:${Number(port) + 1}` },
      { Origin: `http://${host}.evil.example` },
      // Its own name leads to this computer: DNS rebinding.
      { Host: `evil.example:${port}` },
      { Host: 'localhost' },
      { Host: `127.0.0.1.evil.example:${port}` },
      { Host: `0.0.0.0:${port}` },
    ]) {
      const { status, text, headers: told } = await withHeaders(headers)
      expect([headers, status]).toEqual([headers, 403])
      expect(text).toMatch(/\.("|$)/)
      expect(Object.keys(told).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    const own = await withHeaders({ Origin: `http://localhost:${port}`, Host: `localhost:${port}` })
    expect(own.status).not.toBe(403)
    expect(Object.keys(own.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('gets no yes to its preflight', async () => {
    const server = await serve()
    const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }
    expect(await send(server, '/api/machine/list', { method: 'OPTIONS', headers })).toMatchObject({ status: 403 })
  })
})

describe('whoever has no token', () => {
  it.each(doors)('cannot reach %s', async (_, path, asked) => {
    const server = await serve()
    const { token } = server
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer wrong',
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      token,
      'Basic !',
    ]) {
      const headers = {
        ...('headers' in asked ? asked.headers : {}),
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      }
      const { status, text, headers: told } = await send(server, path, { ...asked, headers })
      expect([authorization, status]).toEqual([authorization, 401])
      expect(told['www-authenticate']).toBeDefined()
      expect(text).toContain('The token is missing or wrong.')
      expect(text).not.toContain(token)
    }
  })

  it('cannot open a WebSocket with another protocol either', async () => {
    const server = await serve()
    const offered = async (protocol: string) =>
      (
        await send(server, '/api/events', {
          method: 'GET',
          headers: { ...upgrade, 'Sec-WebSocket-Protocol': protocol },
        })
      ).status
    expect(await offered('bridgedeck, bearer.wrong')).toBe(401)
    expect(await offered(`bridgedeck, xbearer.${server.token}`)).toBe(401)
    expect(await offered(`bridgedeck, bearer.${server.token}`)).toBe(101)
  })
})

describe('connections without the token', () => {
  const asks = (server: ServerHere) => send(server, '/api/machine/list', { headers: bearer(server) })

  it('that stay idle shut nobody out who has it', async () => {
    const server = await serve()
    const idle = Array.from({ length: 300 }, () => raw(server))
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    for (let times = 0; times < 5; times++) expect(await asks(server)).toMatchObject({ status: 200 })
    expect(await send(server, '/api/machine/list', {})).toMatchObject({ status: 401 })
  })

  it('that send half a request, or are refused and stay, shut nobody out either', async () => {
    const server = await serve()
    const { host } = new URL(server.url)
    for (const text of ['GET', `POST /api/machine/list HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(20)]) {
      const sockets = Array.from({ length: 150 }, () => raw(server))
      for (const socket of sockets) socket.pause().write(text)
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      expect(await asks(server)).toMatchObject({ status: 200 })
    }
  })

  it('count for nothing among the requests at once, and leave those open that have it', async () => {
    const server = await serve({ requests: 2, requestsOfOne: 2 })
    const { host } = new URL(server.url)
    const kept = raw(server)
    const ask = `GET /api HTTP/1.1\r\nHost: ${host}\r\n`
    kept.write(`${ask}Authorization: Bearer ${server.token}\r\n\r\n`)
    expect(String((await once(kept, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    for (let count = 0; count < 70; count++) raw(server).pause().write(`${ask}\r\n`.repeat(10))
    expect(await asks(server)).toMatchObject({ status: 200 })
    await expect.poll(() => server.server.open.strangers).toBeLessThanOrEqual(64)
    kept.write(`${ask}Authorization: Bearer ${server.token}\r\n\r\n`)
    expect(String((await once(kept, 'data'))[0])).toContain('<')
    expect(kept.destroyed).toBe(false)
  })
})

describe('too much', () => {
  it.each(['/api/memory/read', '/mcp'])('in the body of a request to %s is refused in a sentence', async (path) => {
    const server = await serve()
    const body = Buffer.alloc(50_000_000, 0x20)
    for (const headers of [{ 'Content-Length': String(body.length) }, { 'Transfer-Encoding': 'chunked' }]) {
      const { status, text } = await send(server, path, { headers: { ...bearer(server), ...headers }, body })
      expect([status, text]).toEqual([413, expect.stringContaining('at most 1024 KiB')])
    }
    const waits = { ...bearer(server), Expect: '100-continue', 'Content-Length': String(body.length) }
    const socket = raw(server)
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n`)
    socket.write(
      `${Object.entries(waits)
        .map((header) => header.join(': '))
        .join('\r\n')}\r\n\r\n`,
    )
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('in an answer is refused, and what was asked for ends', async () => {
    const server = await serve()
    const given = { address: 0, length: 65_536, rate: 60, count: 100_000 }
    const { status, text } = await send(server, '/api/memory/watch', {
      headers: bearer(server),
      body: JSON.stringify(given),
    })
    expect([status, text]).toEqual([400, expect.stringContaining('longer than 16 million characters')])
  })

  it('at once is answered with 429, and the rest is served', async () => {
    const server = await serve({ requests: 6, requestsOfOne: 4 })
    const headersOf = (name: string) => ({ ...bearer(server), 'Bridgedeck-Name': name })
    const list = (name: string) => send(server, '/api/machine/list', { headers: headersOf(name) })
    const waits = (name: string) => {
      const call = request(new URL('/api/see/screen', server.url), { method: 'POST', headers: headersOf(name) })
      call.on('error', () => undefined)
      call.end('{"wait_for":"never","timeout":600}')
      return call
    }
    const flood = Array.from({ length: 4 }, () => waits('flood'))
    await expect.poll(() => server.server.open.requests).toBe(4)
    expect(await list('flood')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect(await list('another')).toMatchObject({ status: 200 })
    const others = [waits('another'), waits('a third')]
    await expect.poll(() => server.server.open.requests).toBe(6)
    expect(await list('a fourth')).toMatchObject({ status: 429, text: expect.stringContaining('6 requests') as string })
    for (const call of [...flood, ...others]) call.destroy()
    await expect.poll(() => server.server.open.requests).toBe(0)
    const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await list('flood')).status))
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
    await expect.poll(() => list('flood')).toMatchObject({ status: 200 })
  })

  it('of names of scripts lets those give way that do nothing', async () => {
    const server = await serve({ callers: 3 })
    for (let name = 0; name < 10; name++) {
      const headers = { ...bearer(server), 'Bridgedeck-Name': `script ${name}` }
      expect(await send(server, '/api/machine/list', { headers })).toMatchObject({ status: 200 })
    }
  })

  it('in headers is refused', async () => {
    const server = await serve()
    const { status } = await send(server, '/api', {
      method: 'GET',
      headers: { ...bearer(server), Long: 'x'.repeat(20_000) },
    })
    expect(status).toBe(431)
  })
})

describe('a client that goes, or does not go on,', () => {
  it('within its headers or its body is dropped', async () => {
    const server = await serve({ headersMs: 300, requestMs: 600 })
    const { host } = new URL(server.url)
    const head = `POST /api/machine/list HTTP/1.1\r\nHost: ${host}\r\n`
    for (const part of [
      '',
      'POST /api',
      head,
      `${head}Authorization: Bearer ${server.token}\r\nContent-Length: 10\r\n\r\n{`,
    ]) {
      const socket = raw(server)
      socket.resume()
      socket.write(part)
      await closing(socket)
    }
    expect(server.server.open.requests).toBe(0)
  })

  it('and asks nothing more is disconnected, one that waits for its answer is not', async () => {
    const server = await serve({ headersMs: 300, stalledMs: 300 })
    const head = `Host: ${new URL(server.url).host}\r\nAuthorization: Bearer ${server.token}\r\n`
    const idle = raw(server)
    idle.resume()
    idle.write(`GET /api HTTP/1.1\r\n${head}\r\n`)
    await closing(idle)
    const given = JSON.stringify({ wait_for: 'never', timeout: 1 })
    const { status } = await send(server, '/api/see/screen', { headers: bearer(server), body: given })
    expect(status).toBe(504)
  })

  it('during a long call frees its place', async () => {
    const server = await serve({ requestsOfOne: 1 })
    const headers = bearer(server)
    const waits = request(new URL('/api/see/screen', server.url), { method: 'POST', headers })
    waits.on('error', () => undefined)
    waits.end('{"wait_for":"never","timeout":600}')
    await expect.poll(() => send(server, '/api/machine/list', { headers })).toMatchObject({ status: 429 })
    waits.destroy()
    await expect.poll(() => send(server, '/api/machine/list', { headers })).toMatchObject({ status: 200 })
  })

  it('and never reads its answers is dropped', async () => {
    const server = await serve({ stalledMs: 500 })
    const socket = raw(server)
    socket.pause()
    const closed = closing(socket)
    const { host } = new URL(server.url)
    const page = `GET /api HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\n\r\n`
    socket.write(page.repeat(500))
    // Writing is how it hears that nobody is there any more: it reads nothing.
    const writes = setInterval(() => socket.write(page), 100)
    await closed
    clearInterval(writes)
    await expect.poll(() => server.server.open.requests).toBe(0)
  })

  it('and never reads its stream of events is dropped with its session', async () => {
    const server = await serve({ stalledMs: 500, idleMs: 1_000 })
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'deaf', version: '1' } },
    }
    const headers = {
      ...bearer(server),
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
    }
    const begun = await send(server, '/mcp', { headers, body: JSON.stringify(initialize) })
    const session = String(begun.headers['mcp-session-id'])
    const { host } = new URL(server.url)
    const lines = Object.entries({ ...headers, 'Mcp-Session-Id': session }).map((header) => header.join(': '))
    const list = (id: number) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })
      return `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    }
    const socket = raw(server)
    socket.pause()
    const closed = closing(socket)
    socket.write(Array.from({ length: 500 }, (_, index) => list(index + 2)).join(''))
    const writes = setInterval(() => socket.write(list(1000)), 100)
    await closed
    clearInterval(writes)
    await expect.poll(() => server.server.open).toMatchObject({ sessions: 0, sockets: 0, requests: 0 })
    expect(server.told).toEqual(['deaf began a session.', 'deaf ended its session.'])
  })
})
