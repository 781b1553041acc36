import type { GrantableRight } from './contract/steering'

export const rightMeanings: Readonly<Record<GrantableRight, string>> = {
  change: 'change machines: write, run, type, reset',
  power: 'switch machines and drives, or configure them',
  connect: 'connect machines that you have neither connected nor saved',
  files: 'use files of this computer',
  programs: 'write files that other programs run, such as a Makefile',
}
