import { z } from 'zod'
import { defineOperation } from '../operation'
import { reportAddress } from './arguments'
import { readTextScreen, trimmed } from './screen'

export const charset = () =>
  z.enum(['auto', 'upper', 'lower']).default('auto').meta({
    description:
      'Character set: upper has capitals and graphics, lower has small and capital letters; auto follows the VIC-II.',
  })

export const readScreen = defineOperation({
  name: 'read_screen',
  title: 'Read the screen',
  does: 'Reads the 25 rows of the text screen, from where the VIC-II shows it.',
  needs: ['readMemory'],
  writes: false,
  arguments: z.strictObject({ charset: charset() }),
  run: async ({ machine, signal }, { charset }) => {
    const { video, set, rows } = await readTextScreen(machine, signal, charset)
    const shown = trimmed(rows)
    return {
      summary: { address: reportAddress(video.screen), mode: video.mode, charset: set, rows: shown },
      value: { rows: shown },
    }
  },
})
