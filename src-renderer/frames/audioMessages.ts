/** What the page tells the audio thread: a block of sound, or to forget what it has not played yet. */
export type ToWorklet = { readonly samples: Int16Array; readonly rate: number } | 'clear'

/** What the audio thread says now and then; `dropped` counts frames, and like `gaps` from its start. */
export interface FromWorklet {
  readonly level: number
  readonly gaps: number
  readonly dropped: number
}
