import { z } from 'zod'
import { storedJson } from './storedJson'

export const ceilingScopes = ['run', 'day', 'night', 'total'] as const
export type CeilingScope = (typeof ceilingScopes)[number]
/** USD, and hours of agents at work. */
export const ceilingMeasures = ['cost', 'hours'] as const
export type CeilingMeasure = (typeof ceilingMeasures)[number]

const holdSchema = z.object({
  kind: z.enum([
    'no-progress',
    'same-error',
    'lost-tasks',
    'lost-commits',
    'lost-state',
    'no-commits',
    'agent',
    'ceiling',
    'failed',
    'interrupted',
    'check',
  ]),
  message: z.string().max(2_000),
  /** ms since 1970 */
  since: z.number(),
  ceiling: z
    .object({ scope: z.enum(ceilingScopes), measure: z.enum(ceilingMeasures), limit: z.number(), day: z.string() })
    .optional(),
})
export type RunHold = z.infer<typeof holdSchema>
export const failureKinds: readonly RunHold['kind'][] = [
  'lost-tasks',
  'lost-commits',
  'lost-state',
  'no-commits',
  'agent',
  'check',
]
export type Ceiling = NonNullable<RunHold['ceiling']>

export const HOLD = 'hold'
const RAISED = 'raised limits'

const raisedSchema = z.array(
  z.object({ scope: z.enum(ceilingScopes), measure: z.enum(ceilingMeasures), limit: z.number(), day: z.string() }),
)

interface Remembered {
  get(name: string): string | undefined
}

export const ofBatches = (name: string): string => `batches ${name}`
export const allOfBatches = <Value>(values: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [ofBatches(name), value]))
export const batchesIn = (remembered: Remembered): Remembered => ({ get: (name) => remembered.get(ofBatches(name)) })

/** Such a hold is only shown: starting the run again is the answer. */
export const isOnlyShown = ({ kind }: RunHold): boolean => kind === 'failed' || kind === 'interrupted'

export const runHold = (remembered: Remembered): RunHold | undefined => storedJson(remembered.get(HOLD), holdSchema)

/** Limits that the person raised for this run; those of a day count on that day only. */
export const raisedCeilings = (remembered: Remembered): readonly Ceiling[] =>
  storedJson(remembered.get(RAISED), raisedSchema) ?? []

export function releaseHold(
  remembered: Remembered,
  { ceiling }: RunHold,
  limit?: number,
): Record<string, string | null> {
  if (!ceiling || limit === undefined) return { [HOLD]: null }
  const isOther = (raised: Ceiling) => raised.scope !== ceiling.scope || raised.measure !== ceiling.measure
  return {
    [HOLD]: null,
    [RAISED]: JSON.stringify([...raisedCeilings(remembered).filter(isOther), { ...ceiling, limit }]),
  }
}
