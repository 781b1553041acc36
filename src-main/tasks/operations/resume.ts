import { z } from 'zod'
import { requireFacet } from '../../machine/machine'
import { defineOperation } from '../operation'

export const resume = defineOperation({
  name: 'resume',
  title: 'Resume',
  does: 'Resumes a paused machine.',
  needs: ['pause'],
  writes: true,
  arguments: z.strictObject({}),
  run: async ({ machine, signal }) => {
    await requireFacet(machine, 'pause').resume(signal)
    return { summary: { execution: 'running' } }
  },
})
