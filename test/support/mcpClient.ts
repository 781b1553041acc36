/** An agent's program: the SDK's own client, which talks to the built server. */
import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { startHere } from './callHere'
import type { CommandLine } from './commandLine'

/** Its server runs within the process of the test. @param words the options of `bridgedeck mcp` */
export const startAgent = (calls: CommandLine, ...words: string[]): Promise<Client> =>
  connectAgent(new Client({ name: 'test', version: '1' }), calls, ...words)

/** As {@link startAgent}, with a client of the test's own. */
export async function connectAgent(client: Client, { environment }: CommandLine, ...words: string[]): Promise<Client> {
  const [toServer, fromServer] = [new PassThrough(), new PassThrough()]
  const server = startHere(['mcp', ...words], { environment, input: toServer, output: fromServer })
  // Lines of JSON over two streams: the same at both ends.
  const transport = new StdioServerTransport(fromServer, toServer)
  const close = client.close.bind(client)
  client.close = async () => {
    toServer.end()
    await server.ended
    await close()
  }
  void server.ended.then(close)
  try {
    await client.connect(transport)
  } catch (error) {
    throw new Error(`bridgedeck mcp ${words.join(' ')} says: ${server.errors()}`, { cause: error })
  }
  return client
}

/** It starts the server as a process of its own, as an agent's program does, and which may be killed. */
export const startAgentProcess = (commandLine: CommandLine, ...words: string[]): Promise<Client> =>
  startAgentProcessNamed('test', commandLine, ...words)

export async function startAgentProcessNamed(
  name: string,
  { environment, folder }: CommandLine,
  ...words: string[]
): Promise<Client> {
  const set = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const client = new Client({ name, version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve('out/main/cli.cjs'), 'mcp', ...words],
      env: Object.fromEntries(set),
      cwd: folder,
      stderr: 'inherit',
    }),
  )
  return client
}

export interface AgentAnswer {
  readonly text: string
  readonly isError: boolean
  readonly data: unknown
  readonly more: unknown
  /** PNG files in base64. */
  readonly images: readonly string[]
}

export async function ask(client: Client, tool: string, given: Record<string, unknown>): Promise<AgentAnswer> {
  const answer = await client.callTool({ name: tool, arguments: given }, CallToolResultSchema)
  const { content, structuredContent = {}, isError = false } = CallToolResultSchema.parse(answer)
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    isError,
    data: structuredContent['data'],
    more: structuredContent['more'],
    images: content.flatMap((part) => (part.type === 'image' ? [part.data] : [])),
  }
}
