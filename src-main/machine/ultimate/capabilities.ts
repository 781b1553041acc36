import type { Unsupported } from '../facets'
import { unsupportedByRealMachines } from '../unsupported'

export type UltimateCapability =
  | 'readMemory'
  | 'writeMemory'
  | 'pause'
  | 'reset'
  | 'runProgram'
  | 'typeText'
  | 'keyMatrix'
  | 'joystick'
  | 'picture'
  | 'reboot'
  | 'powerOff'
  | 'menuButton'
  | 'drives'
  | 'configuration'
  | 'files'
  | 'folders'
  | 'transferFiles'
  | 'createImage'
  | 'runFile'
  | 'videoStream'
  | 'audioStream'
  | 'debugStream'

export const unsupportedByUltimates: Unsupported<UltimateCapability> = {
  ...unsupportedByRealMachines,
  ramUnderRom: 'The Ultimate reads memory as the CPU currently sees it, so RAM under ROM and I/O cannot be reached.',
  registers: 'The Ultimate cannot read the CPU’s registers.',
  setRegisters: 'The Ultimate cannot set the CPU’s registers.',
  step: 'The Ultimate can stop the CPU, but not run single instructions.',
  standard: 'PAL or NTSC is set in the Ultimate’s own menu and applies after a restart.',
  checkpoints: 'The Ultimate cannot stop the CPU at an address.',
  checkpointConditions: 'The Ultimate cannot stop the CPU at an address.',
  logPoints: 'The Ultimate cannot see the CPU reach an address.',
  resources: 'The Ultimate has no resources; its settings are under Configuration.',
}
