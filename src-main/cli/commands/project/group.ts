import { formatInfo } from '@shared/formats/formats'
import { systems } from '@shared/formats/systems'
import type { CommandGroup } from '../../command'
import { folderPath, required } from '../../parameters'

export const projectGroup: CommandGroup = {
  name: 'project',
  summary: `Agent orchestrations in a folder (${systems.map((system) => formatInfo[system].title).join(', ')})`,
  details:
    'inspect, validate, needs and watch only read, and run nothing in the folder. answer and act show the change; with --yes they make it, in a trusted folder also with git.',
}

export const projectFolder = required(folderPath('The folder of the project.'))
