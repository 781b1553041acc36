export interface LaidOut {
  readonly start: number
  /** Inclusive. */
  readonly end: number
  readonly name: string
  readonly why: string
  readonly changed?: number
}
