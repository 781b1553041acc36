import { readActiveSession } from '../../../loops/maestro/stateFiles'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { maestroGroup as group } from './group'

export const maestroReadActiveSession = defineCommand({
  group,
  name: 'read-active-session',
  printsPlainText: true,
  summary: 'Print the active session.',
  examples: ['maestro read-active-session'],
  run: async ({ folder, environment, output, streams }) => {
    const { content, refusal } = await readActiveSession(folder, environment)
    if (refusal !== undefined) output.rawError(`WARNING: ${refusal}\n`)
    streams.stdout.write(content ?? 'No active session\n')
    return EXIT_OK
  },
})
