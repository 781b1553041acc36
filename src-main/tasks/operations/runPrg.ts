import { basename } from 'node:path'
import { z } from 'zod'
import { requireGoodRun } from '@shared/outcomeProblem'
import { runProgram } from '../../machine/loadedPrograms'
import { requireFacet } from '../../machine/machine'
import { outcomeOf } from '../../machine/outcome'
import { checkSong, readProgram } from '../../machine/programs'
import { defineOperation, filePath } from '../operation'
import { outcomeSummary } from './outcomeSummary'

export const runPrg = defineOperation({
  name: 'run_prg',
  title: 'Run a program',
  does: 'Loads a program file from this computer into the machine and runs it.',
  needs: ['runProgram'],
  writes: true,
  arguments: z.strictObject({
    path: filePath().describe('A PRG or P00 file, or a disk or cartridge image or SID file if the machine accepts it.'),
    song: z.int().min(1).max(256).optional().describe('Which song of a SID file to play, from 1.'),
  }),
  run: async ({ machine, signal }, { path, song }) => {
    const name = basename(path)
    checkSong(song, name, requireFacet(machine, 'runProgram'))
    const bytes = await readProgram(path)
    const started = await runProgram(machine, { name, path, bytes, song }, signal)
    const outcome = await outcomeOf(machine, { awaits: 'now', seconds: 0 }, signal)
    requireGoodRun(name, started, outcome)
    return { summary: { program: name, bytes: bytes.length, started, ...outcomeSummary(outcome) } }
  },
})
