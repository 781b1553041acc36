/** OpenAI's responses, the only wire that Codex speaks. https://developers.openai.com/api/reference/responses */
import { z } from 'zod'
import type { Asked, ToolName, Usage } from './script'
import { newId, type Reply, type WireFormat } from './wire'

const contentSchema = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  instructions: z.string().nullish(),
  input: z.array(
    z.looseObject({
      type: z.string().default('message'),
      role: z.string().optional(),
      content: contentSchema.nullish(),
      output: contentSchema.optional(),
    }),
  ),
  tools: z
    .array(
      z.looseObject({
        type: z.string(),
        name: z.string().optional(),
        tools: z.array(z.looseObject({ name: z.string().optional() })).optional(),
      }),
    )
    .default([]),
})
type Content = z.infer<typeof contentSchema>

const partsOf = (content: Content) => (typeof content === 'string' ? [{ type: 'input_text', text: content }] : content)
const textOf = (content: Content): string =>
  partsOf(content)
    .map(({ text = '' }) => text)
    .join('\n')

function itemOf(reply: Reply) {
  if ('say' in reply)
    return {
      type: 'message',
      id: newId('msg'),
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: reply.say, annotations: [] }],
    }
  const { name, namespace, args } = reply
  return {
    type: 'function_call',
    id: newId('fc'),
    call_id: newId('call'),
    status: 'completed',
    name,
    arguments: JSON.stringify(args),
    ...(namespace === undefined ? {} : { namespace }),
  }
}

const responseOf = (id: string, { model }: Asked, { input, cached, output }: Usage, items: readonly object[]) => ({
  id,
  object: 'response',
  status: 'completed',
  model,
  output: items,
  usage: {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  },
})

export const openai: WireFormat = {
  wire: 'openai',
  isAsked: (path) => path === '/v1/responses',
  read: (_path, body) => {
    const { model, stream = false, instructions, input, tools } = requestSchema.parse(body)
    const names = tools.flatMap(({ name, tools: inner }): ToolName[] => {
      if (name === undefined) return []
      if (!inner) return [{ name }]
      return inner.flatMap((tool) => (tool.name === undefined ? [] : [{ name: tool.name, namespace: name }]))
    })
    const outputs = input.flatMap(({ output }) => (output === undefined ? [] : [output]))
    return {
      asked: {
        wire: 'openai',
        model,
        tools: names,
        instructions: JSON.stringify([instructions, input.filter(({ role }) => role !== 'assistant')]),
        prompt: input
          .filter(({ role }) => role === 'user')
          .map(({ content }) => textOf(content ?? ''))
          .join('\n'),
        results: outputs.map((output) => ({
          text: textOf(output),
          images: partsOf(output).filter(({ type }) => type === 'input_image').length,
        })),
      },
      isTask: names.length > 0,
      streams: stream,
    }
  },
  object: (reply, asked, usage) => responseOf(newId('resp'), asked, usage, [itemOf(reply)]),
  events: (reply, asked, usage) => {
    const id = newId('resp')
    const item = itemOf(reply)
    const whole = responseOf(id, asked, usage, [item])
    const [begun, pieces] =
      'say' in reply
        ? [
            { ...item, status: 'in_progress', content: [] },
            [
              {
                type: 'response.output_text.delta',
                item_id: item.id,
                output_index: 0,
                content_index: 0,
                delta: reply.say,
              },
            ],
          ]
        : [{ ...item, status: 'in_progress', arguments: '' }, []]
    return [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
      { type: 'response.output_item.added', output_index: 0, item: begun },
      ...pieces,
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole },
    ].map((data) => ({ name: data.type, data }))
  },
  toldFirst: () => null,
  others: (path) => (path === '/v1/models' ? { object: 'list', data: [], models: [] } : undefined),
}
