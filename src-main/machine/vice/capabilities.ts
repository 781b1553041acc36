import type { Unsupported } from '../facets'
import { unsupportedByEmulators } from '../unsupported'

export type ViceCapability =
  | 'readMemory'
  | 'writeMemory'
  | 'ramUnderRom'
  | 'registers'
  | 'setRegisters'
  | 'pause'
  | 'step'
  | 'reset'
  | 'warp'
  | 'standard'
  | 'runProgram'
  | 'typeText'
  | 'joystick'
  | 'picture'
  | 'lockStep'
  | 'checkpoints'
  | 'checkpointConditions'
  | 'resources'
  | 'quit'

export const unsupportedByVice: Unsupported<ViceCapability> = {
  keyMatrix: 'VICE’s monitor takes typed text only; it cannot hold a key down.',
  saveState: 'VICE writes its snapshots to its own computer’s disk and does not hand them over.',
  ...unsupportedByEmulators,
}
