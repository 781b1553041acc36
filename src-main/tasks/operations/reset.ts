import { z } from 'zod'
import { resetMachine } from '../../machine/loadedPrograms'
import { defineOperation } from '../operation'

export const reset = defineOperation({
  name: 'reset',
  title: 'Reset',
  does: 'Resets the machine.',
  needs: ['reset'],
  writes: true,
  arguments: z.strictObject({
    kind: z.enum(['soft', 'power']).default('soft').meta({
      description: 'soft pulls the CPU’s reset line and keeps RAM; power switches the machine off and on.',
    }),
  }),
  run: async ({ machine, signal }, { kind }) => {
    await resetMachine(machine, kind, signal)
    return { summary: { reset: kind } }
  },
})
