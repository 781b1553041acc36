import { differences, type Observation } from '../journal/observe'
import type { FileVersion } from '../read/projectDisk'

export interface Observed extends Observation {
  readonly kind: 'seen' | 'changed' | 'removed'
  readonly run: string
  readonly file: string
  /** Null when the file is gone. */
  readonly hash: string | null
}

export class Sightings {
  readonly changes: Observed[] = []
  readonly versions: FileVersion[] = []
  readonly #lastHash: (file: string) => string | undefined

  constructor(lastHash: (file: string) => string | undefined) {
    this.#lastHash = lastHash
  }

  add(run: string, path: string, before: FileVersion | undefined, now: FileVersion): void {
    const { file, hash } = now
    if (before?.hash === hash) return
    this.versions.push(now)
    if (before) {
      const changes = differences(before.file, file)
      for (const change of changes.length > 0 ? changes : [whole])
        this.changes.push({ kind: 'changed', run, file: path, hash, ...change })
      return
    }
    const known = this.#lastHash(path)
    if (known === hash) return
    this.changes.push({ kind: known === undefined ? 'seen' : 'changed', run, file: path, hash, ...whole })
  }

  addRemoved(run: string, path: string): void {
    this.changes.push({ kind: 'removed', run, file: path, hash: null, ...whole })
  }
}

const whole: Observation = { field: null, from: null, to: null }
