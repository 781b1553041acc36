import { readActiveSession } from '../../../loops/maestro/stateFiles'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../output'
import { maestroGroup as group } from './group'

export const maestroReadActiveSession = defineCommand({
  group,
  name: 'read-active-session',
  summary: 'Print the active session.',
  run: async ({ folder, environment }) => {
    process.stdout.write((await readActiveSession(folder, environment)) ?? 'No active session\n')
    return EXIT_OK
  },
})
