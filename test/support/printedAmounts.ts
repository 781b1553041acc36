/** What the programs print of tokens and cost: read anew from a whole log, to hold what Bridgedeck recorded while it grew against it. */
import { z } from 'zod'
import type { AgentProgram } from '../../scripts/lib/agentPrograms.mjs'
import type { RunAmounts } from './nightLedger'

export interface PrintedAmounts extends RunAmounts {
  readonly input: number | null
}

const usage = z.looseObject({
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  cache_read_input_tokens: z.number().default(0),
  cache_creation_input_tokens: z.number().default(0),
})
const geminiTokens = z.looseObject({ total: z.number(), prompt: z.number() })
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
const eventSchema = z.looseObject({
  /** One object instead of events has none. */
  type: z.string().default('result'),
  usage: usage.optional().catch(undefined),
  total_cost_usd: z.number().optional(),
  message: z.looseObject({ id: z.string(), usage: usage.optional() }).optional().catch(undefined),
  is_api_error_message: z.boolean().optional(),
  stats: z
    .union([
      z.looseObject({ total_tokens: z.number(), input_tokens: z.number() }),
      z
        .looseObject({ models: z.record(z.string(), z.looseObject({ tokens: geminiTokens })) })
        .transform(({ models }) => ({
          total_tokens: sumOf(Object.values(models).map(({ tokens }) => tokens.total)),
          input_tokens: sumOf(Object.values(models).map(({ tokens }) => tokens.prompt)),
        })),
    ])
    .optional()
    .catch(undefined),
})
type Event = z.infer<typeof eventSchema>

function eventIn(text: string): Event[] {
  try {
    const { data } = eventSchema.safeParse(JSON.parse(text))
    return data ? [data] : []
  } catch {
    // Other words, or half of an event.
    return []
  }
}

/** One a line, or one object over many lines. */
const eventsIn = (said: string): Event[] => (said.startsWith('{\n') ? eventIn(said) : said.split('\n').flatMap(eventIn))

const nothing: PrintedAmounts = { tokens: null, cost: null, input: null }

const inputOf = (one: z.infer<typeof usage>): number =>
  one.input_tokens + one.cache_creation_input_tokens + one.cache_read_input_tokens
const tokensOf = (one: z.infer<typeof usage>): number => inputOf(one) + one.output_tokens

export const printedAmounts: Readonly<Record<AgentProgram, (said: string) => PrintedAmounts>> = {
  claude: (said) => {
    const events = eventsIn(said)
    const result = events.findLast(({ type }) => type === 'result')
    if (result?.usage)
      return {
        tokens: tokensOf(result.usage),
        cost: result.total_cost_usd ?? null,
        input: inputOf(result.usage),
      }
    const messages = new Map(
      events.flatMap(({ type, message, is_api_error_message: isOwn }) =>
        type === 'assistant' && message?.usage && isOwn !== true ? [[message.id, message.usage] as const] : [],
      ),
    )
    if (messages.size === 0) return nothing
    return { tokens: sumOf([...messages.values()].map(tokensOf)), cost: null, input: null }
  },
  gemini: (said) => {
    const stats = eventsIn(said).findLast(({ type }) => type === 'result')?.stats
    return stats ? { tokens: stats.total_tokens, cost: null, input: stats.input_tokens } : nothing
  },
  codex: (said) => {
    const ends = eventsIn(said).flatMap((event) => (event.type === 'turn.completed' ? (event.usage ?? []) : []))
    if (ends.length === 0) return nothing
    return {
      tokens: sumOf(ends.map((one) => one.input_tokens + one.output_tokens)),
      cost: null,
      input: sumOf(ends.map((one) => one.input_tokens)),
    }
  },
}
