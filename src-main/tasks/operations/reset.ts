import { z } from 'zod'
import { BOOT_SECONDS } from '@shared/outcomeProblem'
import { resetMachine } from '../../machine/loadedPrograms'
import { outcomeOf } from '../../machine/outcome'
import { defineOperation } from '../operation'
import { outcomeSummary } from './outcomeSummary'

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
    const outcome = await outcomeOf(machine, { awaits: 'prompt', seconds: BOOT_SECONDS }, signal)
    return { summary: { reset: kind, prompt: outcome.ended === 'come', ...outcomeSummary(outcome) } }
  },
})
