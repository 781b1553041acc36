import type { ActionId } from '@shared/actions'
import type { Capability, MachineState } from '@shared/contract/machine'
import { isConnected, limitOf } from './machines'

const needs: Partial<Record<ActionId, Capability>> = {
  'sheet.write': 'writeMemory',
  'program.load': 'runProgram',
  'state.save': 'saveState',
  'state.saveReport': 'timeTravel',
  'state.load': 'saveState',
  'picture.save': 'picture',
  'picture.copy': 'picture',
  'photo.preview': 'writeMemory',
  'edit.pasteToMachine': 'typeText',
  'sprites.readFrame': 'videoFrame',
  'raster.readFrame': 'rasterFrame',
  'machine.pause': 'pause',
  'machine.step': 'step',
  'machine.stepOver': 'step',
  'machine.stepOut': 'step',
  'machine.slowMotion': 'slowMotion',
  'machine.runToLine': 'step',
  'machine.runToFrame': 'step',
  'machine.runToIrq': 'step',
  'machine.runToNmi': 'step',
  'machine.runToCursor': 'step',
  'machine.toggleCheckpoint': 'checkpoints',
  'machine.stepBack': 'timeTravel',
  'machine.stepBackOver': 'timeTravel',
  'machine.backToCheckpoint': 'timeTravel',
  'machine.toNow': 'timeTravel',
  'machine.toLeftFuture': 'timeTravel',
  'machine.reset': 'reset',
  'machine.powerCycle': 'reset',
  'machine.quit': 'quit',
  'machine.warp': 'warp',
  'machine.pal': 'standard',
  'machine.ntsc': 'standard',
  'machine.menuButton': 'menuButton',
  'machine.reboot': 'reboot',
  'machine.powerOff': 'powerOff',
  'stream.video': 'videoStream',
  'stream.audio': 'audioStream',
  'stream.debug': 'debugStream',
  'sound.toggle': 'audioStream',
  'joystick.toggle': 'joystick',
}

/** In one sentence; null when the action can be carried out. */
export function limitOfAction(id: ActionId, state: MachineState | undefined): string | null {
  if (id === 'machine.connect')
    return isConnected(state) ? 'Already connected.' : state?.connection === 'connecting' ? 'Already connecting.' : null
  if (id === 'machine.disconnect') return !state || state.connection === 'idle' ? 'Not connected.' : null
  if (id === 'program.stopWatching') return state?.program?.watched ? null : 'No program is watched.'
  if (id === 'recorder.toggle')
    return !state ? 'No machine is chosen.' : isConnected(state) ? null : `${state.title} is not connected.`
  const capability = needs[id]
  const limit = capability ? limitOf(state, capability) : null
  if (limit === null && id === 'machine.pause' && state?.execution === 'jammed')
    return 'The CPU is jammed. Reset the machine.'
  const past = state?.past
  if (limit === null && past) {
    if (id === 'machine.toNow' && past.now >= past.end) return `${state.title} has not gone back.`
    if (id === 'machine.toLeftFuture' && past.left === null) return 'The past was not changed.'
  }
  return limit
}
