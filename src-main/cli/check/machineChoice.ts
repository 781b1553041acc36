/** Which machines a case is for. */
import { readMachineName } from '@shared/contract/machineName'

/** Whether a machine is the one that is named, or of the kind that is: `vice:6502` is a `vice`. */
export const matchesMachine = (machine: string, named: string): boolean =>
  machine === named || (readMachineName(named)?.link === null && readMachineName(machine)?.kind === named)
