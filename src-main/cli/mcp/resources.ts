import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { AppError } from '@shared/contract/errors'
import { canonicalMachineName, parseMachineName } from '@shared/contract/machineName'
import { CapturedOutput } from '../capturedOutput'
import { fullName, type Command, type CommandContext } from '../command'
import { machineScreen } from '../commands/machine/screen'
import { registerShow } from '../commands/register/show'
import { labelList } from '../commands/label/list'
import { noteList } from '../commands/note/list'
import { readNamedArguments } from '../namedArguments'
import type { AgentSession } from './agentSession'
import type { Answers } from './answers'
import { references } from './references'

const live: Readonly<Record<string, { readonly command: Command; readonly title: string }>> = {
  screen: { command: machineScreen, title: 'The text screen of a machine' },
  registers: { command: registerShow, title: 'The CPU’s registers of a machine' },
  labels: { command: labelList, title: 'The labels of the program on a machine' },
}

/** ms */
const INTERVAL_MS = 1_000
const MAX_SUBSCRIPTIONS = 20
const TEXT = 'text/plain'
/** Error code of the protocol for resources/read. */
const RESOURCE_NOT_FOUND = -32002

export const NOTES_URI = 'bridgedeck://notes'
const NOTES_TITLE = 'What people and agents found out about the program'

type Context = Omit<CommandContext, 'output' | 'signal'>

export const answerUri = (id: string): string => `bridgedeck://answer/${id}`

export function serveResources(
  { server }: McpServer,
  { context, steered, answers }: Pick<AgentSession, 'context' | 'steered'> & { readonly answers: Answers },
): () => void {
  const keptAnswer = (uri: string) =>
    uri.startsWith(answerUri('')) ? answers.whole(uri.slice(answerUri('').length)) : undefined
  const subscriptions = new Map<string, NodeJS.Timeout>()
  const read = (uri: string, signal: AbortSignal) => readResource(uri, { ...context, signal })
  const readOnce = (title: string, uri: string, signal: AbortSignal): Promise<string> =>
    references.some((each) => each.uri === uri)
      ? read(uri, signal)
      : steered.during({ title, rights: ['look'], text: uri }, signal, () => read(uri, signal))

  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [
      { uri: NOTES_URI, name: NOTES_URI, title: NOTES_TITLE, mimeType: TEXT },
      ...references.map(({ uri, title }) => ({ uri, name: uri, title, mimeType: TEXT })),
      ...Object.entries(live).map(([name, { title }]) => {
        const uri = `bridgedeck://builtin/${name}`
        return { uri, name: uri, title, mimeType: TEXT }
      }),
    ],
  }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: `${NOTES_URI}/{place}`,
        name: 'notes',
        mimeType: TEXT,
        title: `${NOTES_TITLE} at an address, range or label`,
      },
      ...Object.entries(live).map(([name, { title }]) => ({
        uriTemplate: `bridgedeck://{machine}/${name}`,
        name,
        title,
        mimeType: TEXT,
      })),
    ],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => ({
    contents: [{ uri, mimeType: TEXT, text: keptAnswer(uri) ?? (await readOnce('read resource', uri, signal)) }],
  }))
  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }, { signal }) => {
    if (subscriptions.size >= MAX_SUBSCRIPTIONS)
      throw new AppError('BUSY', `There are ${MAX_SUBSCRIPTIONS} subscriptions already. End one of them.`)
    let known = await readOnce('watch resource', uri, signal)
    let isReading = false
    const look = async (): Promise<void> => {
      if (isReading) return
      isReading = true
      try {
        const now = await read(uri, AbortSignal.timeout(5 * INTERVAL_MS))
        if (now !== known) await server.sendResourceUpdated({ uri })
        known = now
      } catch {
        // The machine may be away for now; the next look tries again.
      } finally {
        isReading = false
      }
    }
    clearInterval(subscriptions.get(uri))
    subscriptions.set(
      uri,
      setInterval(() => void look(), INTERVAL_MS),
    )
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    clearInterval(subscriptions.get(uri))
    subscriptions.delete(uri)
    return {}
  })
  return () => {
    for (const timer of subscriptions.values()) clearInterval(timer)
    subscriptions.clear()
  }
}

async function readResource(uri: string, context: Context & Pick<CommandContext, 'signal'>): Promise<string> {
  const reference = references.find((each) => each.uri === uri)
  if (reference) return reference.text()
  if (uri === NOTES_URI) return textOf(noteList, {}, context)
  if (uri.startsWith(`${NOTES_URI}/`))
    return textOf(noteList, { at: decodeURIComponent(uri.slice(NOTES_URI.length + 1)) }, context)
  const [, name = '', what = ''] = /^bridgedeck:\/\/(.+)\/(\w+)$/.exec(uri) ?? []
  const found = Object.hasOwn(live, what) ? live[what] : undefined
  if (!found) {
    throw new McpError(
      RESOURCE_NOT_FOUND,
      `There is no resource ${uri.slice(0, 100)}. Of a machine there are ${Object.keys(live).join(', ')}: bridgedeck://builtin/screen.`,
    )
  }
  const machine = canonicalMachineName(parseMachineName(decodeURIComponent(name)))
  return textOf(found.command, { machine }, context)
}

async function textOf(
  command: Command,
  given: Readonly<Record<string, unknown>>,
  context: Context & Pick<CommandContext, 'signal'>,
): Promise<string> {
  const output = new CapturedOutput(fullName(command))
  await command.run({ ...context, output }, readNamedArguments(command, given))
  return output.text
}
