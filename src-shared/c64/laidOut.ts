export interface LaidOut {
  readonly start: number
  /** Inclusive. */
  readonly end: number
  readonly name: string
  /** What says so. */
  readonly why: string
  /** Of a loaded program: how many of its bytes memory no longer holds. */
  readonly changed?: number
}
