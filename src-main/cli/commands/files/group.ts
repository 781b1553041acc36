import { MACHINES_HEADING, type CommandGroup } from '../../command'

export const filesGroup: CommandGroup = {
  name: 'files',
  heading: MACHINES_HEADING,
  summary: 'The files on a machine’s own storage',
}
