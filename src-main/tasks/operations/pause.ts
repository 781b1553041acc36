import { z } from 'zod'
import { facet } from '../../machine/machine'
import { defineOperation } from '../operation'

export const pause = defineOperation({
  name: 'pause',
  title: 'Pause',
  does: 'Stops the machine where it is.',
  needs: ['pause'],
  writes: true,
  arguments: z.strictObject({}),
  run: async ({ machine, signal }) => {
    await facet(machine, 'execution', 'pause').pause(signal)
    return { summary: { execution: 'paused' } }
  },
})
