import { machineNamesHint } from '@shared/contract/machineName'
import { connectionSearch } from '../../commands/connection/search'
import { connectionTest } from '../../commands/connection/test'
import { machineClearLeft } from '../../commands/machine/clearLeft'
import { machineList } from '../../commands/machine/list'
import { machinePause } from '../../commands/machine/pause'
import { machineMenuButton, machinePowerOff, machineReboot } from '../../commands/machine/power'
import { machineReset } from '../../commands/machine/reset'
import { machineResource } from '../../commands/machine/resource'
import { machineResume } from '../../commands/machine/resume'
import { machineStandard } from '../../commands/machine/standard'
import { machineStatus } from '../../commands/machine/status'
import { machineStream } from '../../commands/machine/stream'
import { machineWarp } from '../../commands/machine/warp'
import { undoLast } from '../undoLast'
import { change, connect, look, power, followedBy, type Tool } from '../tool'

export const machineTool: Tool = {
  name: 'machine',
  title: 'Machines',
  about: `The C64s. ${machineNamesHint} They connect when they are first used.`,
  operations: {
    list: look(machineList, 'all, with their state'),
    state: look(machineStatus, 'one, and what it cannot do'),
    search: connect(connectionSearch, 'look for devices on the network'),
    test: power(connectionTest, 'check what a machine can do'),
    pause: change(machinePause, 'stop the CPU', followedBy('debug registers, debug step; machine resume')),
    resume: change(machineResume, 'let it run; until_stop waits'),
    reset: change(machineReset, 'reset; kind power clears memory', followedBy('type wait for “ready.”')),
    reboot: power(machineReboot, 'an Ultimate'),
    off: power(machinePowerOff, 'an Ultimate 64'),
    menu: power(machineMenuButton, 'the button of an Ultimate'),
    warp: change(machineWarp, 'as fast as it can', {
      next: ({ state }) => (state === 'on' ? 'warp off once you are done' : null),
    }),
    clear_left: change(machineClearLeft, 'what other agents left set'),
    standard: change(machineStandard, 'PAL or NTSC'),
    undo: change(undoLast, 'your last change, whole'),
    stream: power(machineStream, 'of an Ultimate, to the window'),
    resource: power(machineResource, 'a setting of VICE'),
  },
}
