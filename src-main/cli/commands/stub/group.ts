import { MACHINES_HEADING, type CommandGroup } from '../../command'

export const stubGroup: CommandGroup = {
  name: 'stub',
  heading: MACHINES_HEADING,
  summary: 'The serial stub, in a VICE that emulates the cartridge',
}
