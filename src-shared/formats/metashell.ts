import { z } from 'zod'
import { sourceSchema } from '../contract/fact'
import { count, list, numberFact, path, text } from './fields'

const details = z.strictObject({
  system: z.literal('metashell'),
  context: list(z.strictObject({ heading: text, level: count, text, source: sourceSchema })),
  variables: list(z.strictObject({ name: text, value: text, source: sourceSchema })),
  artefacts: list(
    z.strictObject({ kind: z.enum(['plan', 'research', 'summary', 'verification']), file: path, value: text }),
  ),
  /** 0-based index into the tasks; their number when all are done. */
  cursor: numberFact,
  /** session.json.lock exists: a host is writing, or died doing so. */
  locked: z.boolean(),
})

export const metashell = {
  title: 'Meta-Shell',
  meaning:
    'One host has agents plan, carry out and verify a phase, task by task, and halts where a person has to decide.',
  details,
}
