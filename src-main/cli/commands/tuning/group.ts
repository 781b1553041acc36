import type { CommandGroup } from '../../command'
import { folderPath, required } from '../../parameters'

export const tuningGroup: CommandGroup = {
  name: 'tuning',
  summary: 'Find what makes a skill fail (skill tuning)',
  details:
    'The folder is that of a skill (it has a SKILL.md), or of a project with one skill or one tuning run.\n' +
    'The scanners work offline, without an agent, and change nothing.',
}

export const skillPath = required(folderPath('The folder of the skill, or of its project.'))
