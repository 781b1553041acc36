/** What a start of a loop is expected to take, by earlier turns of agents on this computer. */
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
  /** ms that an agent works */
  time: spreadSchema.nullable(),
})
export type EstimatedAmounts = Readonly<z.infer<typeof amountsSchema>>

const estimateSchema = z.strictObject({
  /** Earlier turns. */
  basedOn: z.int().min(1),
  /** Of these, turns whose cost is known. */
  priced: z.int().min(0),
  /** All of them are of the same project. */
  isOfProject: z.boolean(),
  perTurn: amountsSchema,
  /** Of the whole start; null where nobody knows how many tasks are open. */
  total: amountsSchema.nullable(),
  /** Expected in the whole start. */
  turns: amount.nullable(),
  /** Roles whose agents had no turn yet: what they take comes on top. */
  newRoles: z.array(z.string().max(100)).max(200),
})
export type Estimate = Readonly<z.infer<typeof estimateSchema>>

export const estimateCommands = {
  /** Null where none of its roles had a turn yet. */
  'loops.estimate': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ project: projectId, system: z.enum(loopSystems), place: placeSchema }),
    output: z.strictObject({ estimate: estimateSchema.nullable() }),
    deadline: 20_000,
  }),
} as const
