import type { RunDetails } from '@shared/contract/runDetails'
import type { OfferedAction } from '@shared/contract/edits'
import type { ActionPlan, ActionRequest } from './edit/action'
import type { Finding } from './finding'
import type { Listing } from './listing'
import type { System } from '@shared/contract/orchestration'
import type { RunView } from './run'
import type { StateFile } from './text/stateFile'

export interface Candidate {
  readonly folder: string
  readonly marker: string
  readonly name?: string
  readonly archived: boolean
  readonly files: readonly string[]
}

export type Remembered = Pick<ReadonlyMap<string, string>, 'get'>

export interface RunFiles {
  readonly candidate: Candidate
  readonly listing: Listing
  readonly files: ReadonlyMap<string, StateFile>
  readonly remembered: Remembered
}

export interface Reading<Details = RunDetails> {
  readonly view: RunView
  readonly details: Details
  readonly findings: readonly Finding[]
}

/** Pure: names and texts in, no disk. Never throws for any text; time and memory are proportional to the texts. */
export interface Format<Details = RunDetails> {
  readonly name: System
  /** Not written through symbolic links; new files get mode 0600. */
  readonly hasStrictWrites?: true
  detect(listing: Listing): Candidate[]
  /** Named by the files read so far, or needed for an action. Untrusted: the reader must stay in the project. */
  named?(files: RunFiles, request?: ActionRequest): string[]
  read(files: RunFiles): Reading<Details> | undefined
  validate(files: RunFiles): Finding[]
  actions(files: RunFiles): OfferedAction[]
  /**
   * @throws AppError INVALID when a value does not fit, CONFLICT when the run's state no longer allows it, NOT_FOUND
   * when its target is gone
   */
  plan(files: RunFiles, request: ActionRequest): ActionPlan
}
