/** Sees every instruction of a machine that runs, the sequences that take an interrupt included. */
export interface InstructionFollower {
  /** Before each. */
  readonly begin: () => void
  /** After each: true where the machine has come to where it was to run. */
  readonly end: () => boolean
}

/** A follower of a machine that runs in time. */
export interface Follow {
  readonly follower: InstructionFollower
  /** It has come to its end. */
  readonly onDone: () => void
  /** The machine stopped before, or was replaced. */
  readonly onDropped?: () => void
}
