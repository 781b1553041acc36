import { MACHINES_HEADING, type CommandGroup } from '../../command'

export const machineGroup: CommandGroup = {
  name: 'machine',
  aliases: ['machines'],
  defaultVerb: 'list',
  mayBeOmitted: true,
  heading: MACHINES_HEADING,
  summary: 'Look into a machine, change its memory, and control it',
  details: 'The word machine may be left out: bridgedeck read is bridgedeck machine read.',
}
