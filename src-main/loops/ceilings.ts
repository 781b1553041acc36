import { ceilingMeasures, ceilingScopes, type Ceiling, type CeilingMeasure, type CeilingScope } from '@shared/runHold'
import type { Settings } from '@shared/contract/settings'
import { counted } from '@shared/countedText'

export interface Usage {
  /** USD */
  readonly cost: number
  readonly hours: number
  /** Turns whose agent did not say what it cost. */
  readonly unpriced: number
  readonly estimated: number
}

export interface Budget {
  /** For all runs; null for no limit. */
  readonly limits: Settings['agentLimits']
  readonly used: Readonly<Record<CeilingScope, Usage>>
  /** `2026-11-23`, in the computer's time zone. */
  readonly day: string
  readonly night: string
  readonly subject: string
  readonly costProblem: string | null
}

const settingOf: Readonly<Record<CeilingScope, Readonly<Record<CeilingMeasure, keyof Settings['agentLimits']>>>> = {
  run: { cost: 'runCost', hours: 'runHours' },
  day: { cost: 'dayCost', hours: 'dayHours' },
  night: { cost: 'nightCost', hours: 'nightHours' },
  total: { cost: 'totalCost', hours: 'totalHours' },
}

export const limitsCost = (limits: Budget['limits']): boolean =>
  ceilingScopes.some((scope) => limits[settingOf[scope].cost] !== null)

export function reachedCeiling(
  { limits, used, day, night, subject }: Budget,
  raised: readonly Ceiling[],
): { readonly ceiling: Ceiling; readonly message: string } | undefined {
  for (const scope of ceilingScopes)
    for (const measure of ceilingMeasures) {
      const set = limits[settingOf[scope][measure]]
      const higher = raised.find((one) => one.scope === scope && one.measure === measure)
      const since = scope === 'night' ? night : day
      const counts = higher && ((scope !== 'day' && scope !== 'night') || higher.day === since)
      const limit = set === null ? null : Math.max(set, counts ? higher.limit : 0)
      if (limit === null || used[scope][measure] < limit) continue
      return {
        ceiling: { scope, measure, limit, day: since },
        message: messageOf(scope === 'run' ? subject : subjects[scope], measure, used[scope], limit),
      }
    }
  return undefined
}

const subjects: Readonly<Record<Exclude<CeilingScope, 'run'>, string>> = {
  day: 'today',
  night: 'this night',
  total: 'all runs',
}

function messageOf(subject: string, measure: CeilingMeasure, usage: Usage, limit: number): string {
  const { unpriced } = usage
  if (measure === 'hours')
    return `Time limit of ${subject} reached: agents worked ${usage.hours.toFixed(1)} of ${limit.toFixed(1)} hours.`
  const unknown = unpriced === 0 ? '' : ` The cost of ${counted(unpriced, 'turn')} is unknown.`
  const { estimated } = usage
  const workedOut = estimated === 0 ? '' : `, $${estimated.toFixed(2)} of it worked out from your prices`
  return `Cost limit of ${subject} reached: $${usage.cost.toFixed(2)} of $${limit.toFixed(2)} spent${workedOut}.${unknown}`
}
