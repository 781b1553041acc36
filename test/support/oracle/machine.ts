/** A C64 that runs an image from its start until it is finished. */
export interface TestedMachine {
  run(image: Uint8Array): Promise<Run>
  /** The colours that it shows where it finished, as many a line as a picture is wide. */
  picture(): Promise<Uint8Array>
}

export interface Run {
  /** All of its RAM afterwards. */
  readonly ram: Uint8Array
  /** The cases in which {@link watchForKnownDifference} met it, by how many were left. */
  readonly knownDifferences?: ReadonlySet<number>
  /** Why it did not get to the end, as a sentence. */
  readonly stopped?: string
}
