/** What the bridge's commands do to machines, as far as agents are kept from doing it at the same time. */
import type { OwnedBy } from '@shared/contract/contract'

type BridgeCommand = OwnedBy<'bridge'>

/** Those that change more of the C64 than the bytes that they name. */
const moving: ReadonlySet<BridgeCommand> = new Set<BridgeCommand>([
  ...(['machine.runProgram', 'machine.runFile', 'machine.reset', 'machine.typeText', 'machine.setKeys'] as const),
  ...(['machine.setJoystick', 'machine.step', 'machine.pause', 'machine.resume', 'memory.setRegister'] as const),
  ...(['running.to', 'running.slowly', 'running.trace', 'values.freeze', 'tasks.start', 'tasks.runAgain'] as const),
])

const changing: ReadonlySet<BridgeCommand> = new Set<BridgeCommand>([
  ...moving,
  ...(['memory.write', 'memory.writeRuns', 'machine.setWarp', 'machine.setStandard', 'machine.setSampling'] as const),
  ...(['machine.setCheckpoint', 'machine.deleteCheckpoint', 'machine.enableCheckpoint', 'machine.disconnect'] as const),
  ...(['machine.mountFile', 'machine.mountImage', 'machine.removeImage', 'machine.setDriveEnabled'] as const),
  ...(['machine.setDriveMode', 'machine.resetDrive', 'machine.setConfiguration', 'machine.setResource'] as const),
  ...(['machine.powerOff', 'machine.reboot', 'machine.quit', 'machine.pressMenuButton', 'machine.setStream'] as const),
  ...(['machine.uploadFile', 'machine.createImage', 'machine.stopWatching', 'values.release'] as const),
  ...(['timeTravel.back', 'timeTravel.goTo', 'timeTravel.toCheckpoint', 'timeTravel.toWrite'] as const),
  ...(['timeTravel.toLeftFuture', 'machine.keepConfiguration', 'machine.loadDriveRom', 'machine.loadState'] as const),
])

export const isMoving = (command: BridgeCommand): boolean => moving.has(command)
/** Whether an agent takes the machine for it. */
export const isChanging = (command: BridgeCommand): boolean => changing.has(command)
