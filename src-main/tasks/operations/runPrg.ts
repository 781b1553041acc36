import { basename } from 'node:path'
import { z } from 'zod'
import { requireFacet } from '../../machine/machine'
import { readProgram } from '../../machine/programs'
import { defineOperation, filePath } from '../operation'

export const runPrg = defineOperation({
  name: 'run_prg',
  title: 'Run a program',
  does: 'Loads a program file from this computer into the machine and runs it.',
  needs: ['runProgram'],
  writes: true,
  arguments: z.strictObject({
    path: filePath().describe('A PRG or P00 file, or a disk or cartridge image if the machine accepts it.'),
  }),
  run: async ({ machine, signal }, { path }) => {
    const name = basename(path)
    const bytes = await readProgram(path)
    await requireFacet(machine, 'runProgram').run({ name, path, bytes }, signal)
    return { summary: { program: name, bytes: bytes.length } }
  },
})
