import type { GrantableRight } from './contract/steering'

/** What an agent may do with a right, after “may” or “wants to”. */
export const rightMeanings: Readonly<Record<GrantableRight, string>> = {
  change: 'change machines: write, run, type, reset',
  power: 'switch machines and drives, or configure them',
  connect: 'connect machines that you have neither connected nor saved',
  files: 'use files of this computer',
  programs: 'write files that other programs run, such as a Makefile',
}
