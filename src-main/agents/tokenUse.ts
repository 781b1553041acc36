import { z } from 'zod'
import { MAX_TOKEN_USES, type TokenUse } from '@shared/contract/agents'

type Kinds = Omit<TokenUse, 'model'>

const number = z.number().min(0).optional().catch(undefined)

export function sum(numbers: Iterable<number | undefined | null>): number | null {
  let total: number | null = null
  for (const value of numbers) if (value !== undefined && value !== null) total = (total ?? 0) + value
  return total
}

export const tokensOf = ({ input, output, cacheRead, cacheWrite }: Kinds): number | null =>
  sum([input, output, cacheRead, cacheWrite])

export function joinUses(uses: readonly TokenUse[]): TokenUse[] {
  const byModel = new Map<string | null, TokenUse>()
  for (const use of uses) {
    const before = byModel.get(use.model)
    byModel.set(use.model, before ? addUse(before, use) : use)
  }
  return [...byModel.values()].filter((use) => tokensOf(use) !== null).slice(0, MAX_TOKEN_USES)
}

const addUse = (one: TokenUse, other: TokenUse): TokenUse => ({
  model: one.model,
  input: sum([one.input, other.input]),
  output: sum([one.output, other.output]),
  cacheRead: sum([one.cacheRead, other.cacheRead]),
  cacheWrite: sum([one.cacheWrite, other.cacheWrite]),
})

/** For programs whose input includes cached tokens. */
const withoutCached = (input: number | undefined, cached: number | undefined): number | null =>
  input === undefined ? null : Math.max(0, input - (cached ?? 0))

export const claudeUsageSchema = z
  .looseObject({
    input_tokens: number,
    cache_creation_input_tokens: number,
    cache_read_input_tokens: number,
    output_tokens: number,
  })
  .transform((usage): Kinds => ({
    input: usage.input_tokens ?? null,
    output: usage.output_tokens ?? null,
    cacheRead: usage.cache_read_input_tokens ?? null,
    cacheWrite: usage.cache_creation_input_tokens ?? null,
  }))
  .optional()
  .catch(undefined)

/** Output includes reasoning tokens. */
export const codexUsageSchema = z
  .looseObject({ input_tokens: number, cached_input_tokens: number, output_tokens: number })
  .transform(({ input_tokens: input, cached_input_tokens: cached, output_tokens: output }): Kinds => ({
    input: withoutCached(input, cached),
    output: output ?? null,
    cacheRead: cached ?? null,
    cacheWrite: null,
  }))
  .optional()
  .catch(undefined)

export const opencodeUsageSchema = z
  .looseObject({
    input: number,
    output: number,
    reasoning: number,
    cache: z.looseObject({ read: number, write: number }).optional().catch(undefined),
  })
  .transform(({ input, output, reasoning, cache }): Kinds => ({
    input: input ?? null,
    output: sum([output, reasoning]),
    cacheRead: cache?.read ?? null,
    cacheWrite: cache?.write ?? null,
  }))
  .optional()
  .catch(undefined)

const geminiCounts = { total_tokens: number, input_tokens: number, output_tokens: number, cached: number }
const geminiModel = z.looseObject({
  ...geminiCounts,
  tokens: z
    .looseObject({ total: number, prompt: number, candidates: number, cached: number })
    .transform(({ total, prompt, candidates, cached }) => ({
      total_tokens: total,
      input_tokens: prompt,
      output_tokens: candidates,
      cached,
    }))
    .optional()
    .catch(undefined),
})
type GeminiCounts = z.infer<z.ZodObject<typeof geminiCounts>>

/** The total includes thoughts that the output leaves out (Gemini CLI 0.61): they count and cost as output. */
function geminiKinds({ total_tokens, input_tokens, output_tokens, cached }: GeminiCounts): Kinds {
  const isWhole = total_tokens !== undefined && input_tokens !== undefined
  return {
    input: withoutCached(input_tokens, cached),
    output: isWhole ? Math.max(output_tokens ?? 0, total_tokens - input_tokens) : (output_tokens ?? null),
    cacheRead: cached ?? null,
    cacheWrite: null,
  }
}

export const geminiStatsSchema = z
  .looseObject({
    ...geminiCounts,
    total_cost_usd: number,
    models: z.record(z.string(), geminiModel).optional().catch(undefined),
  })
  .transform(({ models = {}, total_cost_usd: cost, ...counts }) => {
    const each = Object.entries(models).map(([model, { tokens, ...own }]) => ({ model, counts: tokens ?? own }))
    const uses = each.map(({ model, counts }): TokenUse => ({ model: model.slice(0, 200), ...geminiKinds(counts) }))
    const known = joinUses(uses)
    return {
      cost,
      tokens:
        counts.total_tokens ??
        sum(each.map(({ counts }) => counts.total_tokens)) ??
        sum([counts.input_tokens, counts.output_tokens]),
      uses: known.length > 0 ? known : joinUses([{ model: null, ...geminiKinds(counts) }]),
    }
  })
  .optional()
  .catch(undefined)
