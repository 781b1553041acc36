import type { RunDetails } from '@shared/contract/runDetails'
import type { OfferedAction } from '@shared/contract/edits'
import type { ActionPlan, ActionRequest } from './edit/action'
import type { Finding } from './finding'
import type { Listing } from './listing'
import type { System } from '@shared/contract/orchestration'
import type { RunView } from './run'
import type { StateFile } from './text/stateFile'

/** Where a run may be, from names alone, and what has to be read to know. */
export interface Candidate {
  /** The folder that the run belongs to, relative to the project; empty for the project's own. */
  readonly folder: string
  /** The file or folder that gave it away. Unique among a format's candidates. */
  readonly marker: string
  /** What names the run instead, where another file gives it away later. */
  readonly name?: string
  readonly archived: boolean
  /** The files that the reader wants, relative to the project. */
  readonly files: readonly string[]
}

/** What Bridgedeck remembers of a run beside its files, by name. */
export type Remembered = Pick<ReadonlyMap<string, string>, 'get'>

export interface RunFiles {
  readonly candidate: Candidate
  /** Of the whole project. */
  readonly listing: Listing
  /** Those of the candidate's files that are there, by path. */
  readonly files: ReadonlyMap<string, StateFile>
  readonly remembered: Remembered
}

/** A run as far as it could be read. */
export interface Reading<Details = RunDetails> {
  readonly view: RunView
  /** What the format has of its own, not cut to the limits of the contract yet. */
  readonly details: Details
  /** What could not be read, and what contradicts what. Rules that a run may break and still be shown are {@link Format.validate}'s. */
  readonly findings: readonly Finding[]
}

/**
 * One format of orchestration state. All of it is pure: names and texts in, no disk. Nothing in it throws, whatever the texts
 * are, and its time and memory are proportional to them.
 */
export interface Format<Details = RunDetails> {
  readonly name: System
  /** Its files are not written through symbolic links, and new ones are readable by their owner alone (0600). */
  readonly hasStrictWrites?: true
  detect(listing: Listing): Candidate[]
  /** More files to read, which the ones read so far name, or an action to be planned. Untrusted: whoever reads keeps to the project. */
  named?(files: RunFiles, request?: ActionRequest): string[]
  /** Undefined when the files show that there is no run after all. */
  read(files: RunFiles): Reading<Details> | undefined
  /** All rules of its specification, what {@link read} found included. */
  validate(files: RunFiles): Finding[]
  /** What a person can do with the run now. */
  actions(files: RunFiles): OfferedAction[]
  /** @throws AppError INVALID when a value does not fit, CONFLICT when the run is not in a state for it any more, NOT_FOUND when its target is gone */
  plan(files: RunFiles, request: ActionRequest): ActionPlan
}
