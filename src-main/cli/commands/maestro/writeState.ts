import { writeState } from '../../../loops/maestro/stateFiles'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { readStandardInput } from '../../standardInput'
import { maestroGroup as group, statePath } from './group'

export const maestroWriteState = defineCommand({
  group,
  name: 'write-state',
  printsPlainText: true,
  summary: 'Replace a file of the state with standard input, atomically.',
  positionals: { path: statePath },
  examples: ['maestro write-state .gemini/state/active-session.md < FILE'],
  run: async (context, { path }) => {
    await writeState(context.folder, path, await readStandardInput(context))
    return EXIT_OK
  },
})
