import type { CommandGroup } from '../../command'
import { folderPath, required } from '../../parameters'

export const metashellGroup: CommandGroup = {
  name: 'metashell',
  summary: 'Run Meta-Shell sessions',
  details:
    'Agents research, plan, execute and verify the phase described in .meta/context.md, in a trusted folder, until they need your decision. Ctrl+C stops the running agent. Answer questions with project answer, or in the window.\n' +
    'Exit codes of run and resume: 0 the phase is complete, 1 the session halted, 5 an agent timed out.',
}

export const metashellFolder = required(folderPath('The folder with .meta.'))
