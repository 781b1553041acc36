import type { CommandGroup } from '../../command'
import { namedMachine, required } from '../../parameters'

export const connectionGroup: CommandGroup = {
  name: 'connection',
  aliases: ['connections'],
  summary: 'Machines: found, saved and tested',
}

export const machineName = required(namedMachine('The machine.'))
