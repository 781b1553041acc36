/** Sees every instruction of a machine that runs, the sequences that take an interrupt included. */
export interface InstructionFollower {
  /** Before each. */
  readonly begin: () => void
  /** After each: true where the machine has come to where it was to run. */
  readonly end: () => boolean
}
