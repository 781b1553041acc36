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
  examples: ['ncrew status'],
  run: async ({ output, signal, environment }, { folder }) => {
    const { state, files } = await requireCrew(folder, signal)
    const shown = crewStatus(state, files.remembered, crewLimits(state, loopOptions({}, environment)))
    output.result(shown, printStatus(shown))
    return EXIT_OK
  },
})
