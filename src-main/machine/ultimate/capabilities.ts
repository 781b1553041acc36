import type { Unsupported } from '../facets'

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
  | 'createImage'
  | 'runFile'
  | 'videoStream'
  | 'audioStream'
  | 'debugStream'

/** What no Ultimate can; a device may lack more. */
export const unsupportedByUltimates: Unsupported<UltimateCapability> = {
  ramUnderRom: 'The Ultimate reads memory as the CPU sees it at that moment: RAM under ROM and I/O cannot be reached.',
  registers: 'The Ultimate does not tell the CPU’s registers.',
  setRegisters: 'The Ultimate cannot set the CPU’s registers.',
  step: 'The Ultimate stops the CPU, but cannot let it go on for one instruction.',
  warp: 'A real machine has one speed.',
  standard: 'PAL or NTSC is set in the Ultimate’s own menu, and takes a restart.',
  lockStep: 'A real machine does not wait for its frames to be looked at.',
  checkpoints: 'The Ultimate cannot stop the CPU at an address.',
  checkpointConditions: 'The Ultimate cannot stop the CPU at an address.',
  saveState: 'The state of a real machine’s chips cannot be read out.',
  resources: 'Its settings are under Configuration.',
  folders: 'The Ultimate tells of one file at a time; its folders are listed by an FTP program or its own menu.',
  quit: 'A real machine is not a program that can be quit.',
}
