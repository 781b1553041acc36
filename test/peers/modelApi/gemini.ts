/** Gemini's generateContent and streamGenerateContent. https://ai.google.dev/api/generate-content */
import { z } from 'zod'
import type { Asked, Usage } from './script'
import type { Reply, WireFormat } from './wire'

const PATH = /^\/v1beta\/models\/([^:]+):(generateContent|streamGenerateContent|countTokens)$/

const partSchema = z.looseObject({
  text: z.string().optional(),
  inlineData: z.unknown().optional(),
  functionResponse: z
    .looseObject({
      name: z.string(),
      response: z.looseObject({}).optional(),
      parts: z.array(z.looseObject({ inlineData: z.unknown().optional() })).optional(),
    })
    .optional(),
})
const requestSchema = z.looseObject({
  systemInstruction: z.unknown().optional(),
  contents: z.array(z.looseObject({ role: z.string().optional(), parts: z.array(partSchema).default([]) })),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() }))
    .default([]),
  generationConfig: z
    .looseObject({ responseMimeType: z.string().optional(), responseJsonSchema: z.unknown().optional() })
    .optional(),
})

const answer = (reply: Reply, { model }: Asked, { input, cached, output }: Usage) => ({
  candidates: [
    {
      content: {
        role: 'model',
        parts: ['say' in reply ? { text: reply.say } : { functionCall: { name: reply.name, args: reply.args } }],
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  },
  modelVersion: model,
})

export const gemini: WireFormat = {
  wire: 'gemini',
  isAsked: (path) => /:(?:streamG|g)enerateContent$/.test(path) && PATH.test(path),
  read: (path, body) => {
    const [, model = '', method] = PATH.exec(path) ?? []
    const { systemInstruction, contents, tools } = requestSchema.parse(body)
    const parts = contents.filter(({ role }) => role !== 'model').flatMap((content) => content.parts)
    // A picture follows the answer of its tool as a part of its own, or stands in it.
    const pictures = parts.filter(({ inlineData }) => inlineData !== undefined).length
    const answers = parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse] : []))
    const names = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => ({ name })))
    return {
      asked: {
        wire: 'gemini',
        model,
        tools: names,
        instructions: JSON.stringify([systemInstruction, contents]),
        prompt: parts.map(({ text = '' }) => text).join('\n'),
        results: answers.map(({ response, parts: inner = [] }, index) => ({
          text: JSON.stringify(response ?? {}),
          images:
            inner.filter(({ inlineData }) => inlineData !== undefined).length +
            (index === answers.length - 1 ? pictures : 0),
        })),
      },
      // The choice of a model, and whether a loop was found, are asked without tools.
      isTask: names.length > 0,
      streams: method === 'streamGenerateContent',
    }
  },
  object: answer,
  events: (reply, asked, usage) => [{ data: answer(reply, asked, usage) }],
  toldFirst: () => null,
  others: (path) => (PATH.test(path) ? { totalTokens: 100 } : undefined),
}
