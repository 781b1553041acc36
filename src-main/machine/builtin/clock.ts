/** The machine's count of cycles. */
export class Clock {
  /** The cycle that the present access takes; between two instructions the one that the next access will take. */
  now = 0
}
