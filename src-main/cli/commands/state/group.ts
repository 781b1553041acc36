import { MACHINES_HEADING, type CommandGroup } from '../../command'

export const stateGroup: CommandGroup = {
  name: 'state',
  heading: MACHINES_HEADING,
  summary: 'The whole state of a machine, in a file',
}
