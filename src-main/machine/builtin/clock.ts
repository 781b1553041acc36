export class Clock {
  /** The cycle of the present access; between two instructions that of the next access. */
  now = 0
}
