import type { CommandGroup } from '../../command'
import { folderPath, required } from '../../parameters'

export const tuningGroup: CommandGroup = {
  name: 'tuning',
  summary: 'Find and fix what makes a skill fail (skill tuning)',
  details:
    'For diagnose and report the folder is that of a skill (it has a SKILL.md), or of a project with one skill or one tuning run; for the others it is the project’s.\n' +
    'All of it works offline, without an agent.',
}

export const projectFolder = required(folderPath('The folder of the project.'))

export const skillPath = required(folderPath('The folder of the skill, or of its project.'))
