import type { Candidate, Format, Reading } from '../../formats/format'
import type { KnownRun } from '../read/describeRun'
import type { FileVersion } from '../read/projectDisk'

export interface FoundRun {
  readonly format: Format
  readonly candidate: Candidate
}

export interface OpenRun extends KnownRun, FoundRun {
  readonly reading: Reading
  readonly wanted: ReadonlySet<string>
  readonly files: ReadonlyMap<string, FileVersion>
}
