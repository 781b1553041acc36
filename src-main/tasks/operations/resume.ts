import { z } from 'zod'
import { facet } from '../../machine/machine'
import { defineOperation } from '../operation'

export const resume = defineOperation({
  name: 'resume',
  title: 'Go on',
  does: 'Lets a machine that is paused go on.',
  needs: ['pause'],
  writes: true,
  arguments: z.strictObject({}),
  run: async ({ machine, signal }) => {
    await facet(machine, 'execution', 'pause').resume(signal)
    return { summary: { execution: 'running' } }
  },
})
