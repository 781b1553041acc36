import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  ElicitResultSchema,
  type CallToolResult,
  type ContentBlock,
  type ServerNotification,
  type ServerRequest,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { toFailure } from '@shared/contract/errors'
import { rightMeanings } from '@shared/rightMeanings'
import type { AgentSession } from './agentSession'
import type { Allowed } from './allowed'
import { Answers, answerOf } from './answers'
import { serveCompletions } from './completions'
import { findTool } from './findTool'
import { servePrompts } from './prompts'
import { answerUri, serveResources } from './resources'
import { runTool, type ToolAnswer } from './runTool'
import type { AskPerson } from './steeredCalls'
import { argumentsFor, type Operation, type Tool } from './tool'
import { tools } from './tools'
import { describeTool } from './toolSchema'

type SendRequest = RequestHandlerExtra<ServerRequest, ServerNotification>['sendRequest']

/** ms; clients give up on a call after a minute. */
const ANSWER_WAIT_MS = 50_000

interface ServerOptions {
  readonly version: string
  readonly allowed: Allowed
  /**
   * Whether the program that started the server asks its person. A client that only has a token may not answer for
   * them.
   */
  readonly asksPerson: boolean
  readonly agent: AgentSession
}

export const instructions = [
  'Bridgedeck steers Commodore 64s: its built-in one, VICE, and real ones. The person may watch the same machine in its window.',
  'Begin with machine list, and project notes: what was found out before. Keep what you find with project note. Look before you write; take a snapshot before a risky step; wait for a text or a stop in place of asking again and again.',
  'Numbers of addresses: $d020, 53280 or labels. Long answers name what to give as `more` to read on. `raw` adds the data.',
].join('\n')

const outputSchema: ListedTool['outputSchema'] = {
  type: 'object',
  properties: { text: { type: 'string' }, more: { type: 'string' }, data: { type: 'object' } },
  required: ['text'],
}

export function createMcpServer({
  version,
  allowed,
  asksPerson,
  agent: { context, steered },
}: ServerOptions): McpServer {
  const answers = new Answers()
  const mcp = new McpServer(
    { name: 'bridgedeck', title: 'Bridgedeck', version },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
      instructions,
    },
  )
  // The tools describe and check their arguments themselves.
  const { server } = mcp
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, sendRequest }) => {
    const found = attempt(() => findTool(params.name, params.arguments ?? {}))
    if (typeof found === 'string') return refusal(found)
    const progressToken = params._meta?.progressToken
    let steps = 0
    const onProgress = (share: number | null, message: string): void => {
      if (progressToken === undefined) return
      const done = share === null ? { progress: ++steps } : { progress: share, total: 1 }
      sendNotification({ method: 'notifications/progress', params: { progressToken, message, ...done } }).catch(
        () => undefined,
      )
    }
    return resultOf(
      found.tool,
      await runTool({
        ...found,
        allowed,
        steered,
        answers,
        onProgress,
        ask: asksPerson && server.getClientCapabilities()?.elicitation ? asker(sendRequest, signal) : undefined,
        context: { ...context, signal },
      }),
    )
  })
  servePrompts(mcp)
  serveCompletions(mcp, { steered })
  steered.onNotice = ({ level, text }) => {
    mcp.sendLoggingMessage({ level, logger: 'bridgedeck', data: text }).catch(() => undefined)
  }
  const endSubscriptions = serveResources(mcp, { context, steered, answers })
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

/** Most clients give their model only the structured content where there is some: a picture would be lost. */
const givesPictures = ({ operations }: Tool): boolean => Object.values(operations).some(({ isPicture }) => isPicture)

function resultOf(tool: Tool, { text, more, data, picture, isError }: ToolAnswer): CallToolResult {
  const rest = more === null ? '' : `\n… more: "${more}"`
  return {
    content: [
      { type: 'text', text: text + rest },
      ...(more === null ? [] : [wholeAnswer(more)]),
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

function wholeAnswer(more: string): ContentBlock {
  const uri = answerUri(answerOf(more))
  return { type: 'resource_link', uri, name: uri, title: 'The whole answer', mimeType: 'text/plain' }
}

const asker =
  (sendRequest: SendRequest, signal: AbortSignal): AskPerson =>
  async (right, text) => {
    const params = {
      mode: 'form' as const,
      message: `May the agent ${rightMeanings[right]}? It wants to: ${text}`,
      requestedSchema: {
        type: 'object' as const,
        properties: { allow: { type: 'boolean' as const, title: 'Allow it for this session', default: false } },
        required: ['allow'],
      },
    }
    const { action, content } = await sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, {
      signal,
      timeout: ANSWER_WAIT_MS,
    })
    return action === 'accept' && content?.['allow'] === true
  }

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
