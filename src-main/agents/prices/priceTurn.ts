import type { PresetName } from '@shared/agentPresets'
import type { Price, TokenUse } from '@shared/contract/agents'

interface PricedTurn {
  readonly cost: number
  readonly pricesOf: string
}

/** @param preset stands for the model where neither the program nor the agent's settings name one */
export function priceTurn(
  prices: readonly Price[],
  uses: readonly TokenUse[],
  { preset, model }: { readonly preset: PresetName; readonly model: string | null },
): PricedTurn | undefined {
  const priced = uses.map((use) => priceUse(prices, use, use.model ?? model ?? preset))
  const known = priced.flatMap((each) => each ?? [])
  const [oldest] = known.map(({ pricesOf }) => pricesOf).sort()
  if (oldest === undefined || known.length < uses.length) return undefined
  return { cost: known.reduce((total, { cost }) => total + cost, 0), pricesOf: oldest }
}

function priceUse(prices: readonly Price[], use: TokenUse, model: string): PricedTurn | undefined {
  const price = prices.find((each) => isLike(model, each.model))
  if (!price || use.input === null || use.output === null) return undefined
  const kinds = [
    [use.input, price.input],
    [use.output, price.output],
    [use.cacheRead, price.cachedRead],
    [use.cacheWrite, price.cachedWrite],
  ] as const
  let cost = 0
  for (const [tokens, perMillion] of kinds) {
    if (tokens === null || tokens === 0) continue
    if (perMillion === undefined) return undefined
    cost += (tokens * perMillion) / 1_000_000
  }
  return { cost, pricesOf: price.date }
}

/** O(n · m) for any pattern, as it is no regular expression. */
function isLike(model: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.toLowerCase().split('*')
  const name = model.toLowerCase()
  const last = parts.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let from = first.length
  for (const part of parts) {
    const found = name.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return name.length - last.length >= from && name.endsWith(last)
}
