import { z } from 'zod'
import { requireFacet } from '../../machine/machine'
import { defineOperation } from '../operation'

export const resume = defineOperation({
  name: 'resume',
  title: 'Go on',
  does: 'Lets a machine that is paused go on.',
  needs: ['pause'],
  writes: true,
  arguments: z.strictObject({}),
  run: async ({ machine, signal }) => {
    await requireFacet(machine, 'pause').resume(signal)
    return { summary: { execution: 'running' } }
  },
})
