import { readState } from '../../../loops/maestro/stateFiles'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { maestroGroup as group, statePath } from './group'

export const maestroReadState = defineCommand({
  group,
  name: 'read-state',
  printsPlainText: true,
  summary: 'Print a file of the state.',
  positionals: { path: statePath },
  examples: ['maestro read-state .gemini/state/active-session.md'],
  run: async ({ folder, streams }, { path }) => {
    streams.stdout.write(await readState(folder, path))
    return EXIT_OK
  },
})
