import type { Capability } from '@shared/contract/machine'

export const withoutStorage = (why: string) =>
  ({ files: why, folders: why, transferFiles: why, createImage: why, runFile: why }) as const satisfies Partial<
    Record<Capability, string>
  >

export type EmulatorCapability =
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
  | 'checkpoints'
  | 'checkpointConditions'
  | 'logPoints'
  | 'trace'
  | 'interrupts'
  | 'videoFrame'

export const ONLY_BUILTIN_GOES_BACK = 'Only the built-in C64 can go back in its own time; record other machines.'
export const ONLY_BUILTIN_TELLS_CYCLES = 'Only the built-in C64 tells what each cycle of a frame does.'
const ONLY_VICE_SHOWS_DRIVES = 'Only VICE shows the memory of its disk drives.'

const unsupportedExceptByUltimates = {
  drives: 'Bridgedeck controls only the drives of an Ultimate.',
  debugStream: 'Only an Ultimate 64 streams its bus accesses.',
} as const satisfies Partial<Record<Capability, string>>

export const unsupportedByEmulators = {
  ...unsupportedExceptByUltimates,
  reboot: 'Only a cartridge in a real machine can reboot; reset the emulator instead.',
  powerOff: 'An emulator has no power switch; disconnect or quit it instead.',
  menuButton: 'Only an Ultimate has a menu button.',
  configuration: 'Bridgedeck reads only the configuration of an Ultimate.',
  ...withoutStorage('An emulator has no storage of its own; it uses the files of this computer.'),
  videoStream: 'An emulator has no video stream; its picture comes with each sample.',
  audioStream: 'Only an Ultimate streams its sound.',
} as const satisfies Partial<Record<Capability, string>>

export const unsupportedByRealMachines = {
  warp: 'A real machine runs at one speed.',
  slowMotion: 'A real machine runs at one speed.',
  lockStep: 'A real machine cannot wait after each frame.',
  driveMemory: ONLY_VICE_SHOWS_DRIVES,
  trace: 'A real machine cannot be stepped; use the built-in C64 or VICE.',
  interrupts: 'Bridgedeck cannot see when a real machine takes an interrupt; use the built-in C64 or VICE.',
  videoFrame:
    'Bridgedeck cannot see in which raster line a real machine writes a register; use the built-in C64 or VICE.',
  rasterFrame: ONLY_BUILTIN_TELLS_CYCLES,
  profile: 'Only the built-in C64 can be profiled.',
  timeTravel: ONLY_BUILTIN_GOES_BACK,
  saveState: 'The state of a real machine’s chips cannot be read.',
  quit: 'A real machine cannot be quit.',
} as const satisfies Partial<Record<Capability, string>>

export const unsupportedByOtherDevices = {
  ...unsupportedByRealMachines,
  ...unsupportedExceptByUltimates,
  standard: 'The chips of a real machine determine PAL or NTSC.',
} as const satisfies Partial<Record<Capability, string>>
