/** An agent's program: the SDK's own client, which starts the built server and talks to it. */
import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { CommandLine } from './commandLine'

/** @param words the options of `bridgedeck mcp` */
export const startAgent = (commandLine: CommandLine, ...words: string[]): Promise<Client> =>
  startAgentNamed('test', commandLine, ...words)

export async function startAgentNamed(
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
      ...{ command: process.execPath, args: [resolve('out/main/cli.cjs'), 'mcp', ...words] },
      ...{ env: Object.fromEntries(set), cwd: folder, stderr: 'inherit' },
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
    ...{ isError, data: structuredContent['data'], more: structuredContent['more'] },
    images: content.flatMap((part) => (part.type === 'image' ? [part.data] : [])),
  }
}
