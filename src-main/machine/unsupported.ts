import type { Capability } from '@shared/contract/machine'

/** For machines whose storage Bridgedeck cannot reach. */
export const withoutStorage = (why: string) =>
  ({ files: why, folders: why, createImage: why, runFile: why }) as const satisfies Partial<Record<Capability, string>>

/** Why emulators lack what only a device attached to a real C64 has. */
export const unsupportedByEmulators = {
  reboot: 'Only a cartridge in a real machine can reboot; reset the emulator instead.',
  powerOff: 'An emulator has no power switch; disconnect or quit it instead.',
  menuButton: 'Only an Ultimate has a menu button.',
  drives: 'Bridgedeck controls only the drives of an Ultimate.',
  configuration: 'Bridgedeck reads only the configuration of an Ultimate.',
  ...withoutStorage('An emulator has no storage of its own; it uses the files of this computer.'),
  videoStream: 'An emulator has no video stream; its picture comes with each sample.',
  audioStream: 'Only an Ultimate streams its sound.',
  debugStream: 'Only an Ultimate 64 streams its bus accesses.',
} as const satisfies Partial<Record<Capability, string>>
