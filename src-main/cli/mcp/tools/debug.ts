import { checkpointAdd } from '../../commands/checkpoint/add'
import { checkpointDelete } from '../../commands/checkpoint/delete'
import { checkpointDisable, checkpointEnable } from '../../commands/checkpoint/enable'
import { checkpointList } from '../../commands/checkpoint/list'
import { checkpointLog } from '../../commands/checkpoint/log'
import { labelLoad } from '../../commands/label/load'
import { machineAssemble } from '../../commands/machine/assemble'
import { machineBack } from '../../commands/machine/back'
import { machineDisassemble } from '../../commands/machine/disassemble'
import { machineFrame } from '../../commands/machine/frame'
import { machineInterrupts } from '../../commands/machine/interrupts'
import { machineRaster } from '../../commands/machine/raster'
import { machineProfile } from '../../commands/machine/profile'
import { machineStep } from '../../commands/machine/step'
import { machineTrace } from '../../commands/machine/trace'
import { registerSet } from '../../commands/register/set'
import { registerShow } from '../../commands/register/show'
import { change, look, followedBy, type Tool } from '../tool'

export const debugTool: Tool = {
  name: 'debug',
  title: 'Debug',
  about: 'CPU, code, checkpoints, time travel (builtin).',
  operations: {
    registers: look(registerShow, 'CPU, with the next instruction'),
    set: change(registerSet, 'a register'),
    disassemble: look(machineDisassemble, 'code with labels'),
    assemble: change(machineAssemble, 'one instruction in place'),
    step: change(machineStep, 'count, over, to an address, to_next line, frame, irq, return'),
    back: change(machineBack, 'back in time'),
    trace: change(machineTrace, 'the next instructions'),
    profile: look(machineProfile, 'where the cycles go'),
    interrupts: look(machineInterrupts, 'handlers in a frame'),
    frame: look(machineFrame, 'over a frame: multiplexed sprites, splits'),
    raster: look(machineRaster, 'cycles of a frame'),
    checkpoint: change(
      checkpointAdd,
      'stop, count or log at an access',
      followedBy('machine resume with until_stop; debug log'),
    ),
    checkpoints: look(checkpointList, 'all of them'),
    delete: change(checkpointDelete, 'a checkpoint'),
    enable: change(checkpointEnable, 'a checkpoint'),
    disable: change(checkpointDisable, 'a checkpoint'),
    log: look(checkpointLog, 'what checkpoints logged'),
    load_labels: change(labelLoad, 'a label or debug file'),
  },
}
