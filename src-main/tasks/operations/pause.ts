import { z } from 'zod'
import { requireFacet } from '../../machine/machine'
import { defineOperation } from '../operation'

export const pause = defineOperation({
  name: 'pause',
  title: 'Pause',
  does: 'Pauses the machine.',
  needs: ['pause'],
  writes: true,
  arguments: z.strictObject({}),
  run: async ({ machine, signal }) => {
    await requireFacet(machine, 'pause').pause(signal)
    return { summary: { execution: 'paused' } }
  },
})
