import type { FileVersion } from '../read/projectDisk'
import { Sightings, type Observed } from './sightings'

export interface RunChangesOptions {
  readonly onRuns: (changed: readonly string[], removed: readonly string[]) => void
  readonly onObserved: (changes: readonly Observed[], versions: readonly FileVersion[]) => void
  readonly lastHash: (file: string) => string | undefined
}

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
