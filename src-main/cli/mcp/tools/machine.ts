import { connectionSearch } from '../../commands/connection/search'
import { connectionTest } from '../../commands/connection/test'
import { machineList } from '../../commands/machine/list'
import { machinePause } from '../../commands/machine/pause'
import { machineReset } from '../../commands/machine/reset'
import { machineResource } from '../../commands/machine/resource'
import { machineResume } from '../../commands/machine/resume'
import { change, look, power, type Tool } from '../tool'

export const machineTool: Tool = {
  name: 'machine',
  title: 'Machines',
  about: 'The C64s: builtin, vice, vice:PORT, u64:HOST, serial:PORT. Others connect when they are first used.',
  operations: {
    list: look(machineList, 'all, with their state'),
    search: look(connectionSearch, 'look for devices on the network'),
    test: look(connectionTest, 'check what a machine can do'),
    pause: change(machinePause, 'stop the CPU'),
    resume: change(machineResume, 'let it run'),
    reset: change(machineReset, 'reset; kind power clears memory'),
    resource: power(machineResource, 'a setting of VICE'),
  },
}
