/** What a test, file or step cost, in seconds; `waited` is the time in which it used no processor. */
export interface Cost {
  readonly seconds: number
  readonly processor: number
  readonly waited: number
  /** How many programs of each kind were started. */
  readonly starts: Readonly<Record<string, number>>
}
