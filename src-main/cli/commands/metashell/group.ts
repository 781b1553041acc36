import type { CommandGroup } from '../../command'
import { folderPath, required } from '../../parameters'

export const metashellGroup: CommandGroup = {
  name: 'metashell',
  summary: 'Run Meta-Shell sessions',
  details:
    'Agents research, plan, execute and verify the phase described in .meta/context.md, in a trusted folder, until they need your decision. Ctrl+C stops the running agent. Answer questions with project answer, or in the window.',
}

export const metashellFolder = required(folderPath('The folder with .meta.'))
