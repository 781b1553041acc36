import { z } from 'zod'
import { loopSystems } from '../formats/systems'
import { bridgeCommand } from './define'
import { placeSchema } from './loopOptions'
import { projectId } from './orchestration'

const amount = z.number().min(0)
/** The lower quartile, the median and the upper quartile. */
const spreadSchema = z.strictObject({ low: amount, middle: amount, high: amount })
export type Spread = Readonly<z.infer<typeof spreadSchema>>

const amountsSchema = z.strictObject({
  tokens: spreadSchema.nullable(),
  /** USD */
  cost: spreadSchema.nullable(),
  /** ms that agents work */
  time: spreadSchema.nullable(),
})
export type EstimatedAmounts = Readonly<z.infer<typeof amountsSchema>>

const estimateSchema = z.strictObject({
  basedOn: z.int().min(1),
  priced: z.int().min(0),
  isOfProject: z.boolean(),
  perTurn: amountsSchema,
  total: amountsSchema.nullable(),
  turns: amount.nullable(),
  newRoles: z.array(z.string().max(100)).max(200),
})
export type Estimate = Readonly<z.infer<typeof estimateSchema>>

export const estimateCommands = {
  'loops.estimate': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ project: projectId, system: z.enum(loopSystems), place: placeSchema }),
    output: z.strictObject({ estimate: estimateSchema.nullable() }),
    deadline: 20_000,
  }),
} as const
