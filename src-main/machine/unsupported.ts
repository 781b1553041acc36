import type { Capability } from '@shared/contract/machine'

/** For machines whose storage Bridgedeck does not reach. */
export const withoutStorage = (why: string) =>
  ({ files: why, folders: why, createImage: why, runFile: why }) as const satisfies Partial<Record<Capability, string>>

/** What every emulator lacks: what only a device beside a real C64 does. */
export const unsupportedByEmulators = {
  reboot: 'Only a real machine’s cartridge is rebooted; an emulator is reset.',
  powerOff: 'An emulator is not switched off; disconnect or quit it.',
  menuButton: 'The menu button is the Ultimate’s.',
  drives: 'Bridgedeck works the drives of an Ultimate only.',
  configuration: 'Bridgedeck reads the configuration of an Ultimate only.',
  ...withoutStorage('An emulator’s files are this computer’s own.'),
  videoStream: 'An emulator’s picture comes with each sample.',
  audioStream: 'Only an Ultimate sends its sound.',
  debugStream: 'Only an Ultimate 64 tells every access of its bus.',
} as const satisfies Partial<Record<Capability, string>>
