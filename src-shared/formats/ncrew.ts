import { z } from 'zod'
import { sourceSchema } from '../contract/fact'
import { list, path, text } from './fields'

const statusWord = z.enum(['COMPLETE', 'IN PROGRESS', 'PENDING'])
const details = z.strictObject({
  system: z.literal('ncrew'),
  experts: list(z.strictObject({ role: text, phase: text.optional(), llm: text.optional(), source: sourceSchema })),
  questions: list(
    z.strictObject({
      file: path,
      title: text,
      from: text.nullable(),
      status: text.nullable(),
      decision: text.nullable(),
      reason: text.nullable(),
    }),
  ),
  phases: list(z.strictObject({ key: text, claimed: statusWord.nullable(), derived: statusWord.nullable() })),
  nextTask: text.nullable(),
  locked: z.boolean(),
})

export const ncrew = {
  title: 'ncrew',
  meaning: 'A crew of experts takes turns at a list of tasks, phase by phase, and asks you where it cannot decide.',
  details,
}
