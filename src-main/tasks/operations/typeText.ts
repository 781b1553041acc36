import { z } from 'zod'
import { takeSeconds } from '@shared/outcomeProblem'
import { requireFacet } from '../../machine/machine'
import { outcomeOf } from '../../machine/outcome'
import { defineOperation } from '../operation'
import { outcomeSummary } from './outcomeSummary'

export const typeText = defineOperation({
  name: 'type_text',
  title: 'Type text',
  does: 'Types text on the C64’s keyboard.',
  needs: ['typeText'],
  writes: true,
  arguments: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(16_384)
      .meta({ description: 'Small letters are keys without Shift; a line end is RETURN.', format: 'multiline' }),
  }),
  run: async ({ machine, signal }, { text }) => {
    await requireFacet(machine, 'typeText').typeText(text, signal)
    const outcome = await outcomeOf(machine, { awaits: 'typed', seconds: takeSeconds(text) }, signal)
    const taken = outcome.ended === 'come'
    return { summary: { characters: Array.from(text).length, taken, ...outcomeSummary(outcome) } }
  },
})
