import type { ServiceRefusal } from '@shared/contract/agents'
import { afterRefusal, retryAt, type RefusedTries } from '../agents/serviceLimit'

export interface AgentWait {
  /** ms since 1970; Infinity where the person has to look first. */
  readonly until: number
  readonly isLimit: boolean
}

export interface NextTry {
  readonly agent: string
  /** ms since 1970, now or later. */
  readonly at: number
}

export interface KnownAgents {
  /** ms since 1970, when each agent's usage limit ends. */
  readonly limits: Map<string, number>
  readonly worked: Set<string>
}

/** @returns undefined where the person has to look first */
export function nextTry(
  first: string,
  second: string | undefined,
  waits: ReadonlyMap<string, AgentWait>,
  now: number,
): NextTry | undefined {
  const tryOf = (agent: string): NextTry => ({ agent, at: Math.max(waits.get(agent)?.until ?? now, now) })
  const own = tryOf(first)
  const other = second !== undefined && waits.get(first)?.isLimit === true ? tryOf(second) : own
  const next = other.at < own.at ? other : own
  return next.at === Infinity ? undefined : next
}

/** ms; for an agent that named no time. */
const LIMIT_LOOK_MS = 15 * 60_000

export class TurnAgents {
  readonly #first: string
  readonly #second: string | undefined
  readonly #limits: Map<string, number>
  readonly #waits: Map<string, AgentWait>
  readonly #tries = new Map<string, RefusedTries>()

  /** @param limits from earlier turns, ms since 1970 */
  constructor(first: string, second: string | undefined, limits: Map<string, number>) {
    this.#first = first
    this.#second = second
    this.#limits = limits
    const known = second === undefined ? [] : [...limits]
    this.#waits = new Map(known.map(([agent, until]) => [agent, { until, isLimit: true }]))
  }

  next(now: number): NextTry | undefined {
    return nextTry(this.#first, this.#second, this.#waits, now)
  }

  triesOf(agent: string): number {
    return this.#tries.get(agent)?.count ?? 0
  }

  noteRefusal(agent: string, refusal: ServiceRefusal, now: number): void {
    const tries = afterRefusal(this.#tries.get(agent), refusal, now)
    this.#tries.set(agent, tries)
    const until = refusal.kind === 'person' ? undefined : retryAt(refusal, tries, now)
    const isLimit = refusal.kind === 'usage-limit'
    this.#waits.set(agent, { until: until ?? Infinity, isLimit })
    if (isLimit) this.#limits.set(agent, until ?? now + LIMIT_LOOK_MS)
  }
}
