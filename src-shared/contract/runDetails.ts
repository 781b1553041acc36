import { z } from 'zod'
import { runDetailsSchema } from '../formats/formats'
import type { numberFact, textFact } from '../formats/fields'
import { bridgeCommand } from './define'
import { oneRunAt } from './orchestration'

export { runDetailsSchema, type DetailsOf, type RunDetails } from '../formats/formats'
export type TextFact = z.infer<typeof textFact>
export type NumberFact = z.infer<typeof numberFact>

export const runDetailsCommands = {
  'projects.details': bridgeCommand({
    effect: 'reads',
    input: oneRunAt,
    output: z.strictObject({ revision: z.int().min(0), details: runDetailsSchema, more: z.int().min(0) }),
  }),
} as const
