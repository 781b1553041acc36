import type { Unsupported } from '../facets'
import { ONLY_BUILTIN_GOES_BACK, unsupportedByEmulators, type EmulatorCapability } from '../unsupported'

export type ViceCapability =
  EmulatorCapability | 'driveMemory' | 'lockStep' | 'checkpointConditions' | 'resources' | 'quit'

export const unsupportedByVice: Unsupported<ViceCapability> = {
  keyMatrix: 'VICE’s monitor accepts typed text only; it cannot hold keys down.',
  timeTravel: ONLY_BUILTIN_GOES_BACK,
  saveState: 'VICE saves snapshots only to a disk of its own computer.',
  ...unsupportedByEmulators,
}
