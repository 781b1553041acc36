import { z } from 'zod'
import { bridgeCommand } from './define'
import { machineNameSchema } from './machine'
import { address, spaces } from './memory'

export const MAX_LISTED_CANDIDATES = 500
export const MAX_VALUE_STEPS = 50
export const MAX_FROZEN_VALUES = 32

const size = z.union([z.literal(1), z.literal(2)])
const value = z.int().min(0).max(0xffff)
const space = z.enum(spaces)
const machine = z.strictObject({ machine: machineNameSchema })

const searchSchema = z.strictObject({
  space,
  size,
  steps: z
    .array(z.strictObject({ condition: z.string().max(40).nullable(), count: z.int().min(0) }))
    .min(1)
    .max(MAX_VALUE_STEPS),
  candidates: z.array(z.strictObject({ address, value })).max(MAX_LISTED_CANDIDATES),
})

const frozenSchema = z.strictObject({
  space,
  address,
  size,
  value,
  problem: z.string().max(400).nullable(),
})
export type FrozenValue = z.infer<typeof frozenSchema>

const valuesSchema = z.strictObject({
  search: searchSchema.nullable(),
  frozen: z.array(frozenSchema).max(MAX_FROZEN_VALUES),
})
export type Values = z.infer<typeof valuesSchema>

export const valuesCommands = {
  'values.state': bridgeCommand({ effect: 'reads', input: machine, output: valuesSchema }),
  'values.start': bridgeCommand({ effect: 'keeps', input: machine.extend({ space, size }), output: valuesSchema }),
  'values.keep': bridgeCommand({
    effect: 'keeps',
    input: machine.extend({ condition: z.string().regex(/^\P{Cc}{1,40}$/u) }),
    output: valuesSchema,
  }),
  'values.undo': bridgeCommand({ effect: 'keeps', input: machine, output: valuesSchema }),
  'values.end': bridgeCommand({ effect: 'keeps', input: machine, output: valuesSchema }),
  'values.freeze': bridgeCommand({
    effect: 'runs',
    input: machine.extend({ space, address, size, value }),
    output: valuesSchema,
  }),
  'values.release': bridgeCommand({
    effect: 'writes',
    input: machine.extend({ space, address }),
    output: valuesSchema,
  }),
} as const

export const valuesEvents = {
  'values.changed': machine,
} as const
