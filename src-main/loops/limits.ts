import type { AgentResult } from '../agents/agent'
import { durationText } from '@shared/durationText'
import type { TurnOptions } from '@shared/contract/loopOptions'
import type { LoopEnd, LoopWork } from './loop'

export const dollars = (amount: number): string => `$${amount.toFixed(2)}`

export class StartLimits {
  readonly #work: Pick<LoopWork<TurnOptions>, 'options' | 'isPausing'>
  readonly #startedAt = performance.now()
  #turns = 0
  /** USD */
  #cost = 0

  constructor(work: Pick<LoopWork<TurnOptions>, 'options' | 'isPausing'>) {
    this.#work = work
  }

  count({ cost }: AgentResult): void {
    this.#turns++
    this.#cost += cost ?? 0
  }

  /**
   * @param next what would begin, for the message of a pause
   * @returns why it does not begin; undefined when it may
   */
  check(next?: string): (LoopEnd & { readonly hint: string }) | undefined {
    const { isPausing, options } = this.#work
    const turns = `${this.#turns} turn${this.#turns === 1 ? '' : 's'}`
    const hint = 'Start it again to continue.'
    if (isPausing())
      return { outcome: 'paused', message: `Paused ${next === undefined ? `after ${turns}` : `before ${next}`}.`, hint }
    if (this.#turns >= (options.maxTurns ?? Infinity))
      return { outcome: 'paused', message: `Stopped after ${turns}, as requested.`, hint }
    if (this.#cost >= (options.maxCost ?? Infinity))
      return { outcome: 'limit', message: costLimitReached(this.#cost, options.maxCost ?? 0), hint, code: 21 }
    const { maxTime = Infinity } = options
    if (performance.now() - this.#startedAt >= maxTime)
      return {
        outcome: 'limit',
        message: `Time limit reached: it may run for ${durationText(maxTime)}.`,
        hint,
        code: 20,
      }
    return undefined
  }

  /** @param own ms, the format's limit; the shorter of it and the person's limit counts */
  turnTime(own = Infinity): number | undefined {
    const limit = Math.min(own, this.#work.options.turnTime ?? Infinity)
    return limit === Infinity ? undefined : limit
  }
}

/**
 * @param spent USD
 * @param limit USD
 */
export const costLimitReached = (spent: number, limit: number): string =>
  `Cost limit reached: ${dollars(spent)} of ${dollars(limit)} spent.`

export function describeResult(
  who: string,
  { status, reason, duration, exitCode, cost, pricesOf, tokens }: AgentResult,
): string {
  const facts = [
    `${(duration / 1000).toFixed(1)} s`,
    exitCode === null ? 'no exit code' : `exit code ${exitCode}`,
    cost === null ? 'cost unknown' : `${pricesOf === undefined ? '' : '≈ '}${dollars(cost)}`,
    tokens === null ? 'tokens unknown' : `${tokens} tokens`,
  ]
  return `${who}: ${status === 'success' ? 'ended' : `${status}: ${reason}`} (${facts.join(', ')})`
}
