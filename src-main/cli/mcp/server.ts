/** The tools as a server of the Model Context Protocol, for agents of any maker. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js'
import { toFailure } from '@shared/contract/errors'
import type { AgentSession } from './agentSession'
import type { Allowed } from './allowed'
import { Answers } from './answers'
import { findTool } from './findTool'
import { servePrompts } from './prompts'
import { serveResources } from './resources'
import { runTool, type ToolAnswer } from './runTool'
import { argumentsFor, type Operation, type Tool } from './tool'
import { tools } from './tools'
import { describeTool } from './toolSchema'

interface ServerOptions {
  readonly version: string
  readonly allowed: Allowed
  readonly agent: AgentSession
}

export const instructions = [
  'Bridgedeck steers Commodore 64s: its built-in one, VICE, and real ones. The person may watch the same machine in its window.',
  'Begin with machine list. Look before you write; take a snapshot before a risky step; wait for a text or a stop in place of asking again and again.',
  'Numbers of addresses: $d020, 53280 or labels. Long answers name what to give as `more` to read on. `raw` adds the data.',
].join('\n')

const outputSchema: ListedTool['outputSchema'] = {
  type: 'object',
  properties: { text: { type: 'string' }, more: { type: 'string' }, data: { type: 'object' } },
  required: ['text'],
}

export function createMcpServer({ version, allowed, agent: { context, steered } }: ServerOptions): McpServer {
  const answers = new Answers()
  const mcp = new McpServer(
    { name: 'bridgedeck', title: 'Bridgedeck', version },
    { capabilities: { tools: {}, resources: { subscribe: true }, prompts: {} }, instructions },
  )
  // The tools describe and check their arguments themselves.
  const { server } = mcp
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const found = attempt(() => findTool(params.name, params.arguments ?? {}))
    if (typeof found === 'string') return refusal(found)
    const progressToken = params._meta?.progressToken
    let steps = 0
    const onProgress = (share: number | null, message: string): void => {
      if (progressToken === undefined) return
      const done = share === null ? { progress: ++steps } : { progress: share, total: 1 }
      // Whoever asked may be gone by now.
      sendNotification({ method: 'notifications/progress', params: { progressToken, message, ...done } }).catch(
        () => undefined,
      )
    }
    return resultOf(
      found.tool,
      await runTool({
        ...{ ...found, allowed, steered, answers, onProgress },
        context: { ...context, signal },
      }),
    )
  })
  servePrompts(mcp)
  const endSubscriptions = serveResources(mcp, { context, steered })
  server.onclose = endSubscriptions
  return mcp
}

function listed(tool: Tool): ListedTool {
  const all = Object.values(tool.operations)
  const looks = all.every((operation) => operation.right === 'look' && !usesFiles(operation))
  return {
    ...describeTool(tool),
    ...(givesPictures(tool) ? {} : { outputSchema }),
    annotations: {
      readOnlyHint: looks,
      destructiveHint: all.some((operation) => operation.right === 'power' || usesFiles(operation)),
      openWorldHint: false,
    },
  }
}

const usesFiles = (operation: Operation): boolean =>
  operation.right === 'files' || [...argumentsFor(operation).values()].some(({ isPath }) => isPath)

/** Most clients give their model the structured content alone where there is some: a picture would be lost. */
const givesPictures = ({ operations }: Tool): boolean => Object.values(operations).some(({ isPicture }) => isPicture)

function resultOf(tool: Tool, { text, more, data, picture, isError }: ToolAnswer): CallToolResult {
  const rest = more === null ? '' : `\n… more: "${more}"`
  return {
    content: [
      { type: 'text', text: text + rest },
      ...(picture
        ? [{ type: 'image' as const, mimeType: 'image/png', data: Buffer.from(picture).toString('base64') }]
        : []),
    ],
    ...(picture || (givesPictures(tool) && !data)
      ? {}
      : { structuredContent: { text, ...(more === null ? {} : { more }), ...(data ? { data } : {}) } }),
    isError,
  }
}

/** What it returns, or the message of its refusal. */
function attempt<Value extends object>(find: () => Value): Value | string {
  try {
    return find()
  } catch (error) {
    return toFailure(error).message
  }
}

const refusal = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: { text },
  isError: true,
})
