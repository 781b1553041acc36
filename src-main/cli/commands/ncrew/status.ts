import { crewLimits } from '../../../loops/ncrew/crewLimits'
import { crewStatus, printStatus } from '../../../loops/ncrew/status'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { loopOptions, requireCrew } from './crew'
import { crewFolder, ncrewGroup as group } from './group'

export const ncrewStatus = defineCommand({
  group,
  name: 'status',
  summary: 'Show a crew’s progress.',
  positionals: { folder: crewFolder },
  data: {
    project: 'text or null',
    phase: 'its title or null',
    phaseNumber: 'number or null',
    phases: 'how many',
    done: 'tasks',
    tasks: 'how many',
    iterations: 'number',
    maxIterations: 'number',
    cost: 'USD',
    maxCost: 'USD',
    status: 'not_started, in_progress, blocked or complete',
    claimed: 'the status in INDEX.md, or null',
    nextTask: 'text or null',
    questions: 'texts',
    gate: 'text or null',
    code: 'the exit code that run would have',
    reason: 'text or null',
  },
  examples: ['ncrew status'],
  run: async ({ output, signal, environment }, { folder }) => {
    const { state, files } = await requireCrew(folder, signal)
    const shown = crewStatus(state, files.remembered, crewLimits(state, loopOptions({}, environment)))
    output.result(shown, printStatus(shown))
    return EXIT_OK
  },
})
