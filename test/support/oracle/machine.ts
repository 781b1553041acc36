/** A C64 that runs an image from its start until it is finished. */
export interface TestedMachine {
  run(image: Uint8Array): Promise<Run>
}

export interface Run {
  /** All of its RAM afterwards. */
  readonly ram: Uint8Array
  /** Why it did not get to the end, as a sentence. */
  readonly stopped?: string
}
