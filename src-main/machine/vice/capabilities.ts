import type { Unsupported } from '../facets'
import {
  ONLY_BUILTIN_GOES_BACK,
  ONLY_BUILTIN_TELLS_CYCLES,
  unsupportedByEmulators,
  type EmulatorCapability,
} from '../unsupported'

export type ViceCapability = EmulatorCapability | 'driveMemory' | 'lockStep' | 'resources' | 'quit'

export const unsupportedByVice: Unsupported<ViceCapability> = {
  keyMatrix: 'VICE’s monitor accepts typed text only; it cannot hold keys down.',
  slowMotion: 'VICE’s monitor cannot slow it down; use the built-in C64.',
  profile: 'VICE would have to stand at each instruction, several seconds for a frame; use the built-in C64.',
  timeTravel: ONLY_BUILTIN_GOES_BACK,
  saveState: 'VICE saves snapshots only to a disk of its own computer.',
  ...unsupportedByEmulators,
  rasterFrame: ONLY_BUILTIN_TELLS_CYCLES,
}
