import type { CommandGroup } from '../../command'
import { folderPath, required } from '../../parameters'

export const metashellGroup: CommandGroup = {
  name: 'metashell',
  summary: 'Run Meta-Shell sessions',
  details:
    'Agents research, plan, execute and verify the phase that .meta/context.md describes, in a trusted folder, until a person has to decide. Ctrl+C stops the agent at work. Answer a question with project answer, or in the window.\n' +
    'run and resume exit with 0 when the phase is complete, 5 when an agent timed out, 1 when the session halted otherwise.',
}

export const metashellFolder = required(folderPath('The folder with .meta.'))
