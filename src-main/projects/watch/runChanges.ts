import type { FileVersion } from '../read/projectDisk'
import { Sightings, type Observed } from './sightings'

export interface RunChangesOptions {
  /** Keys of runs. */
  readonly onRuns: (changed: readonly string[], removed: readonly string[]) => void
  /** With the versions that were not seen before. */
  readonly onObserved: (changes: readonly Observed[], versions: readonly FileVersion[]) => void
  /** What the journal knows of a file from before; undefined when nothing. */
  readonly lastHash: (file: string) => string | undefined
}

/** What changed in runs and their files since the last notice. */
export class RunChanges {
  readonly #options: RunChangesOptions
  changed: string[] = []
  removed: string[] = []
  observed: Sightings

  constructor(options: RunChangesOptions) {
    this.#options = options
    this.observed = new Sightings(options.lastHash)
  }

  /** The journal first: whoever is told of a run may ask for its history. */
  notify(): void {
    const { changed, removed, observed } = this
    const { onObserved, onRuns, lastHash } = this.#options
    this.changed = []
    this.removed = []
    this.observed = new Sightings(lastHash)
    if (observed.changes.length > 0 || observed.versions.length > 0) onObserved(observed.changes, observed.versions)
    if (changed.length > 0 || removed.length > 0) onRuns(changed, removed)
  }
}
