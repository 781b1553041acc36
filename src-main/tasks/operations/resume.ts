import { z } from 'zod'
import { requireFacet } from '../../machine/machine'
import { outcomeOf } from '../../machine/outcome'
import { defineOperation } from '../operation'
import { outcomeSummary } from './outcomeSummary'

export const resume = defineOperation({
  name: 'resume',
  title: 'Resume',
  does: 'Resumes a paused machine.',
  needs: ['pause'],
  writes: true,
  arguments: z.strictObject({}),
  run: async ({ machine, signal }) => {
    await requireFacet(machine, 'pause').resume(signal)
    const outcome = await outcomeOf(machine, { awaits: { frames: 1 }, seconds: 1 }, signal)
    return { summary: outcomeSummary(outcome) }
  },
})
