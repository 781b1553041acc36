export type ToWorklet = { readonly samples: Int16Array; readonly rate: number } | 'clear'

/** `dropped` counts frames; it counts, like `gaps`, from the start of the thread. */
export interface FromWorklet {
  readonly level: number
  readonly gaps: number
  readonly dropped: number
}
