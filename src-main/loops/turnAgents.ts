/** Which agent takes a turn: the one of its role, or the run's second one while that is at the usage limit of its service. */
import type { ServiceRefusal } from '@shared/contract/agents'
import { afterRefusal, retryAt, type RefusedTries } from '../agents/serviceLimit'

export interface AgentWait {
  /** ms since 1970; Infinity where the person has to look first. */
  readonly until: number
  /** At a usage limit of its service. */
  readonly isLimit: boolean
}

export interface NextTry {
  readonly agent: string
  /** ms since 1970, now or later. */
  readonly at: number
}

/** What the turns of one start showed of its agents. */
export interface KnownAgents {
  /** Until when each is at its usage limit, ms since 1970. */
  readonly limits: Map<string, number>
  /** Whose programs could be started. */
  readonly worked: Set<string>
}

/** @returns undefined where none of them can be tried before the person has looked */
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

/** Until the first is tried again that named no time, though the second goes on meanwhile. */
const LIMIT_LOOK_MS = 15 * 60_000

/** The tries of one turn. */
export class TurnAgents {
  readonly #first: string
  readonly #second: string | undefined
  readonly #limits: Map<string, number>
  readonly #waits: Map<string, AgentWait>
  readonly #tries = new Map<string, RefusedTries>()

  /** @param limits of the turns before this one: until when each agent is at its limit, ms since 1970 */
  constructor(first: string, second: string | undefined, limits: Map<string, number>) {
    this.#first = first
    this.#second = second
    this.#limits = limits
    const known = second === undefined ? [] : [...limits]
    this.#waits = new Map(known.map(([agent, until]) => [agent, { until, isLimit: true }]))
  }

  /** See {@link nextTry}. */
  next(now: number): NextTry | undefined {
    return nextTry(this.#first, this.#second, this.#waits, now)
  }

  /** In a row. */
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
