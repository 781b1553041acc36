/** What was not reported is null or counted apart, never 0. */
import type { AgentRun, TokenUse } from './contract/agents'
import type { RunGraph } from './contract/runGraph'

type TokenKinds = Omit<TokenUse, 'model'>

export interface AgentUse {
  readonly turns: number
  /** ms that agents worked */
  readonly worked: number
  readonly tokens: number | null
  readonly kinds: TokenKinds
  /** Turns that ended and did not tell their tokens. */
  readonly uncounted: number
  /** USD */
  readonly cost: number
  /** The part of `cost` that was worked out from the person's prices. */
  readonly estimated: number
  readonly unpriced: number
}

export interface TaskUse extends AgentUse {
  readonly task: string | null
  readonly title: string
}

export interface PhaseUse extends AgentUse {
  readonly phase: string | null
  readonly title: string
  readonly tasks: readonly TaskUse[]
}

interface PlanEntry {
  readonly key: string
  readonly title: string
  readonly phase: string | null
}

const addKnown = (numbers: readonly (number | null)[]): number | null => {
  const known = numbers.filter((number) => number !== null)
  return known.length === 0 ? null : known.reduce((sum, number) => sum + number, 0)
}

export function kindsOf(uses: readonly TokenUse[]): TokenKinds {
  const add = (kind: keyof TokenKinds) => addKnown(uses.map((use) => use[kind]))
  return { input: add('input'), output: add('output'), cacheRead: add('cacheRead'), cacheWrite: add('cacheWrite') }
}

/** @param now ms since 1970, for turns that have not ended */
export function sumUse(turns: readonly AgentRun[], now: number): AgentUse {
  const ended = turns.filter(({ state, startedAt }) => state === 'ended' && startedAt !== null)
  return {
    turns: turns.length,
    worked: turns.reduce(
      (sum, { startedAt, endedAt }) => sum + (startedAt === null ? 0 : (endedAt ?? now) - startedAt),
      0,
    ),
    tokens: addKnown(turns.map(({ tokens }) => tokens)),
    kinds: kindsOf(turns.flatMap(({ uses = [] }) => uses)),
    uncounted: ended.filter(({ tokens }) => tokens === null).length,
    cost: turns.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    estimated: turns.reduce((sum, { cost, pricesOf }) => sum + (pricesOf === undefined ? 0 : (cost ?? 0)), 0),
    unpriced: ended.filter(({ cost }) => cost === null).length,
  }
}

export const planEntries = ({ keys, titles, phases, rows }: RunGraph): PlanEntry[] =>
  keys
    .slice(0, rows)
    .map((key, index) => ({ key, title: titles[index] || key, phase: keys[phases[index] ?? -1] ?? null }))

export function sumByPhase(turns: readonly AgentRun[], plan: readonly PlanEntry[], now: number): PhaseUse[] {
  const entries = new Map(plan.map((entry) => [entry.key, entry]))
  const isPhase = new Set(plan.flatMap(({ phase }) => phase ?? []))
  const placeOf = ({ turn }: AgentRun) => {
    const task = turn?.task ?? null
    const entry = task === null ? undefined : entries.get(task)
    const isWhole = entry !== undefined && entry.phase === null && (isPhase.has(entry.key) || isPhase.size === 0)
    return isWhole ? { phase: entry.key, task: null } : { phase: entry?.phase ?? null, task }
  }
  const places = turns.map((turn) => ({ turn, ...placeOf(turn) }))
  const order = [...plan.map(({ key }) => key), null]
  const titleOf = (key: string) => entries.get(key)?.title ?? key
  const inOrder = (keys: Iterable<string | null>) => {
    const rank = (key: string | null) => (key !== null && !entries.has(key) ? order.length - 1.5 : order.indexOf(key))
    return [...new Set(keys)].sort((a, b) => rank(a) - rank(b))
  }
  return inOrder(places.map(({ phase }) => phase)).map((phase) => {
    const own = places.filter((place) => place.phase === phase)
    const useFor = (of: readonly (typeof places)[number][]) =>
      sumUse(
        of.map(({ turn }) => turn),
        now,
      )
    const tasks = inOrder(own.map(({ task }) => task)).map((task) => ({
      task,
      title: task !== null ? titleOf(task) : phase === null ? 'Not tied to a task' : 'The phase as a whole',
      ...useFor(own.filter((place) => place.task === task)),
    }))
    return { phase, title: phase === null ? 'No phase' : titleOf(phase), ...useFor(own), tasks }
  })
}

export const usd = (amount: number): string => `$${amount.toFixed(amount !== 0 && amount < 0.1 ? 4 : 2)}`

/** `$1.20`, `≈ $1.20` where a part was worked out from the person's prices, `$1.20+` where a part is unknown, `—` where all is. */
export function sumCostText({ cost, estimated, unpriced, turns }: AgentUse): string {
  if (cost === 0 && unpriced > 0 && unpriced === turns) return '—'
  return `${estimated > 0 ? '≈ ' : ''}${usd(cost)}${unpriced === 0 ? '' : '+'}`
}

export const sumTokensText = ({ tokens, uncounted }: Pick<AgentUse, 'tokens' | 'uncounted'>): string =>
  `${amountText(tokens)}${tokens === null || uncounted === 0 ? '' : '+'}`

export const amountText = (tokens: number | null): string => tokens?.toLocaleString('en') ?? '—'

export const kindsText = ({ input, output, cacheRead, cacheWrite }: TokenKinds): string =>
  `${amountText(input)} in, ${amountText(output)} out, ${amountText(cacheRead)} from the cache, ${amountText(cacheWrite)} into the cache`

export function pricedText({ cost, pricesOf }: Pick<AgentRun, 'cost' | 'pricesOf'>): string {
  if (cost === null) return 'unknown'
  return pricesOf === undefined ? usd(cost) : `≈ ${usd(cost)}, from prices of ${pricesOf}`
}
