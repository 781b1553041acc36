import { MACHINES_HEADING, type CommandGroup } from '../../command'
import { required, text } from '../../parameters'

export const driveGroup: CommandGroup = {
  name: 'drive',
  aliases: ['drives'],
  defaultVerb: 'list',
  heading: MACHINES_HEADING,
  summary: 'The disk drives of a machine',
}

export const driveName = required(text('DRIVE', 'The machine’s name for the drive, such as a.'))
