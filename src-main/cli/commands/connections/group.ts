import type { CommandGroup } from '../../command'
import { machine, required } from '../../parameters'

export const connectionsGroup: CommandGroup = {
  name: 'connections',
  summary: 'Machines: found, saved and tested',
}

/** A machine's canonical name. */
export const machineName = required({ ...machine('The machine.'), help: 'The machine.' })
