import { ensureWorkspace } from '../../../loops/maestro/stateFiles'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { text } from '../../parameters'
import { maestroGroup as group } from './group'

export const maestroEnsureWorkspace = defineCommand({
  group,
  name: 'ensure-workspace',
  printsPlainText: true,
  summary: 'Create the missing folders of a state.',
  positionals: { stateDir: text('STATE_DIR', 'The state folder, inside the working folder. Default: .gemini.') },
  examples: ['maestro ensure-workspace'],
  run: async ({ folder }, { stateDir }) => {
    await ensureWorkspace(folder, stateDir || undefined)
    return EXIT_OK
  },
})
