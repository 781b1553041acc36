/** Sees every instruction of a machine that runs, the sequences that take an interrupt included. */
export interface InstructionFollower {
  /** Before each. */
  readonly begin: () => void
  /** After each: true where the machine has come to where it was to run. */
  readonly end: () => boolean
  /** Each access of the CPU, in the cycle in which it has the bus; the value of what it writes. */
  readonly access?: ((address: number, written: number | null) => void) | undefined
  /** Each cycle that the VIC-II has done. It may be some cycles behind the CPU, but not between two instructions. */
  readonly cycle?: (() => void) | undefined
}
