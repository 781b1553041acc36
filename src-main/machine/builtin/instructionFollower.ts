export interface InstructionFollower {
  readonly begin: () => void
  readonly end: () => boolean
  /** Called in the cycle in which the CPU has the bus; `written` is null for a read. */
  readonly access?: ((address: number, written: number | null) => void) | undefined
  /** The VIC-II may lag behind the CPU, but not between two instructions. */
  readonly cycle?: (() => void) | undefined
}
