import { readMachineName } from '@shared/contract/machineName'

/** `vice:6502` also matches `vice`. */
export const matchesMachine = (machine: string, named: string): boolean =>
  machine === named || (readMachineName(named)?.link === null && readMachineName(machine)?.kind === named)
