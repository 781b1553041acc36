import { MACHINES_HEADING, type CommandGroup } from '../../command'

export const fileGroup: CommandGroup = {
  name: 'file',
  aliases: ['files'],
  defaultVerb: 'list',
  heading: MACHINES_HEADING,
  summary: 'The files on a machine’s own storage',
}
