/** Anthropic's messages. https://docs.claude.com/en/api/messages and /messages-streaming */
import { z } from 'zod'
import { TOOL_SEARCH, type Asked, type Usage } from './script'
import { newId, type Reply, type WireFormat } from './wire'

const partSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tool_use_id: z.string().optional(),
  content: z
    .union([
      z.string(),
      z.array(z.looseObject({ type: z.string(), text: z.string().optional(), tool_name: z.string().optional() })),
    ])
    .optional(),
})
const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  system: z.unknown().optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(partSchema)]) })),
  tools: z.array(z.looseObject({ name: z.string().optional() })).default([]),
})
type Part = z.infer<typeof partSchema>

const partsOf = (content: string | readonly Part[]): readonly Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

function resultOf({ content = '' }: Part): Asked['results'][number] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return {
    text: parts.map(({ text = '' }) => text).join('\n'),
    images: parts.filter(({ type }) => type === 'image').length,
  }
}

/** Those that the program tells of once they were searched for. https://docs.claude.com/en/docs/agents-and-tools/tool-use/tool-search-tool */
const foundTools = ({ content = '' }: Part): string[] =>
  typeof content === 'string' ? [] : content.flatMap(({ tool_name: name }) => (name === undefined ? [] : [name]))

const contentOf = (reply: Reply) =>
  'say' in reply
    ? { type: 'text', text: reply.say }
    : { type: 'tool_use', id: newId('toolu'), name: reply.name, input: reply.args }

const usageOf = ({ input, cached, output }: Usage) => ({
  input_tokens: input - cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cached,
  output_tokens: output,
})

const stopOf = (reply: Reply) => ('say' in reply ? 'end_turn' : 'tool_use')

const message = (reply: Reply, { model }: Asked, usage: Usage) => ({
  id: newId('msg'),
  type: 'message',
  role: 'assistant',
  model,
  content: [contentOf(reply)],
  stop_reason: stopOf(reply),
  stop_sequence: null,
  usage: usageOf(usage),
})

export const anthropic: WireFormat = {
  wire: 'anthropic',
  isAsked: (path) => path === '/v1/messages',
  read: (_path, body) => {
    const { model, stream = false, system, messages, tools } = requestSchema.parse(body)
    const all = messages.flatMap(({ role, content }) => partsOf(content).map((part) => ({ ...part, role })))
    const parts = all.filter(({ role }) => role === 'user')
    const searches = all.flatMap(({ name, id }) => (name === TOOL_SEARCH && id !== undefined ? [id] : []))
    const results = parts.filter(({ type }) => type === 'tool_result')
    const ofSearches = results.filter(({ tool_use_id: id = '' }) => searches.includes(id))
    const listed = tools.flatMap(({ name }) => (name === undefined ? [] : [name]))
    const names = [...new Set([...listed, ...ofSearches.flatMap(foundTools)])].map((name) => ({ name }))
    return {
      asked: {
        wire: 'anthropic',
        model,
        tools: names,
        instructions: JSON.stringify([system, messages.filter(({ role }) => role === 'system'), parts]),
        prompt: parts.map(({ text = '' }) => text).join('\n'),
        results: results.filter((result) => !ofSearches.includes(result)).map(resultOf),
      },
      isTask: names.length > 0,
      streams: stream,
    }
  },
  object: message,
  events: (reply, asked, usage) => {
    const whole = message(reply, asked, usage)
    const content = contentOf(reply)
    const [start, delta] =
      'say' in reply
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: reply.say },
          ]
        : [
            { ...content, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(reply.args) },
          ]
    return [
      {
        type: 'message_start',
        message: { ...whole, content: [], stop_reason: null, usage: { ...whole.usage, output_tokens: 0 } },
      },
      { type: 'content_block_start', index: 0, content_block: start },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: whole.stop_reason, stop_sequence: null }, usage: whole.usage },
      { type: 'message_stop' },
    ].map((data) => ({ name: data.type, data }))
  },
  toldFirst: (usage) => ({ ...usage, output: 0 }),
  others: (path) => (path === '/v1/messages/count_tokens' ? { input_tokens: 100 } : undefined),
}
