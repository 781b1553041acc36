/** The server over HTTP: the built one as a person starts it, or one in this process with limits of a test's own. */
import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { commands } from '../../src-main/cli/commands'
import { HttpServer } from '../../src-main/cli/http/httpServer'
import { usualLimits, type Limits } from '../../src-main/cli/http/limits'
import { newToken } from '../../src-main/cli/http/serverFile'
import { allowedBy } from '../../src-main/cli/mcp/allowed'
import { Sessions } from '../../src-main/cli/sessions'
import type { RunningCall } from './callHere'
import type { CommandLine } from './commandLine'
import { untilSaid } from './untilSaid'

export interface StartedServer {
  readonly url: string
  readonly token: string
  stop(): Promise<unknown>
}

const serve = ['serve', '--port', '0', '--json']

/** Those of this worker that `stopServers` stops. */
const started = new Set<StartedServer>()

/** Within the process of the test, until it is stopped or `stopServers` is called. @param words the options of `bridgedeck serve` */
export async function startServer(calls: CommandLine, ...words: string[]): Promise<StartedServer> {
  const server = await untilServing(calls.start(...serve, ...words))
  started.add(server)
  return server
}

/** As a person starts it. @param words the options of `bridgedeck serve` */
export async function startServerProcess(calls: CommandLine, ...words: string[]): Promise<ServerProcess> {
  const call = calls.startProcess(...serve, ...words)
  return { ...(await untilServing(call)), pid: call.pid }
}

export interface ServerProcess extends StartedServer {
  readonly pid: number
}

async function untilServing(call: RunningCall): Promise<StartedServer> {
  await untilSaid(call, '}\n')
  const { data } = JSON.parse(call.output()) as { data: { url: string; token: string } }
  return {
    ...data,
    stop: () => {
      call.interrupt()
      return call.ended
    },
  }
}

export interface ServerHere extends StartedServer {
  readonly server: HttpServer
  /** What the server told whoever runs it. */
  readonly told: readonly string[]
}

/** @param calls whose bridge runs */
export async function serveHere(calls: CommandLine, limits: Partial<Limits> = {}): Promise<ServerHere> {
  const told: string[] = []
  const token = newToken()
  const ownSessions = () =>
    new Sessions(
      resolve('out/main'),
      { given: () => Promise.resolve(undefined), ask: () => Promise.resolve(undefined) },
      calls.environment,
    )
  const sessions = ownSessions()
  const server = await HttpServer.start({
    context: {
      folder: calls.folder,
      environment: calls.environment,
      streams: process,
      commands,
      resources: resolve('out/resources'),
      openSession: () => sessions.open(),
      findSession: () => sessions.find(),
      ownSessions,
    },
    allowed: allowedBy({ rights: ['change', 'connect'], folders: [] }, calls.folder, 'bridgedeck serve'),
    version: '1',
    port: 0,
    token,
    tell: (text) => told.push(text),
    limits: { ...usualLimits, ...limits },
  })
  return { url: server.url, token, server, told, stop: () => server.close() }
}

export const bearer = ({ token }: Pick<StartedServer, 'token'>) => ({ Authorization: `Bearer ${token}` })

/** An agent's program that talks to the server. */
export async function connectAgent(server: StartedServer, name = 'test'): Promise<Client> {
  const client = new Client({ name, version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', server.url), {
    requestInit: { headers: bearer(server) },
  })
  await client.connect(transport)
  return client
}

const sharedServers = new Map<string, Promise<StartedServer>>()

/** The same as `startAgent`, over HTTP: one server for all agents with the same options. */
export async function startHttpAgent(calls: CommandLine, ...words: string[]): Promise<Client> {
  const key = [calls.folder, ...words].join(' ')
  const server = sharedServers.get(key) ?? startServer(calls, ...words)
  sharedServers.set(key, server)
  const client = await connectAgent(await server)
  const { transport } = client
  const close = client.close.bind(client)
  // Closing alone leaves the session, and with it the machine, to the server until it has been idle for a while.
  client.close = async () => {
    if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession()
    await close()
  }
  return client
}

export async function stopServers(): Promise<void> {
  sharedServers.clear()
  const all = [...started]
  started.clear()
  await Promise.all(all.map((server) => server.stop()))
}
