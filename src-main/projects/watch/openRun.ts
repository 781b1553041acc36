import type { Candidate, Format, Reading } from '../../formats/format'
import type { KnownRun } from '../read/describeRun'
import type { FileVersion } from '../read/projectDisk'

/** Where a run is, or may be. */
export interface FoundRun {
  readonly format: Format
  readonly candidate: Candidate
}

/** A run as it is shown: its last good version. */
export interface OpenRun extends KnownRun, FoundRun {
  readonly reading: Reading
  /** Paths that were read or looked for. */
  readonly wanted: ReadonlySet<string>
  /** The files of the version that is shown. */
  readonly files: ReadonlyMap<string, FileVersion>
}
