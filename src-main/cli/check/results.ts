import type { ErrorCode } from '@shared/contract/errors'
import type { TitledPicture } from '../htmlPictures'
import type { Mismatch } from './compareScreen'

/** `error`: it could not be checked; `skipped`: it is for other machines; `notRun`: the run was interrupted before. */
export type Outcome = 'passed' | 'failed' | 'error' | 'skipped' | 'notRun'

export interface Problem extends Mismatch {
  readonly kind: 'failed' | 'error'
  readonly where: string
  readonly code: ErrorCode | null
}

export interface CaseResult {
  readonly file: string
  readonly name: string
  readonly machine: string
  readonly outcome: Outcome
  readonly reason: string
  readonly seconds: number
  readonly problems: readonly Problem[]
  readonly files: readonly string[]
  readonly screen: readonly string[] | null
  readonly pictures: readonly TitledPicture[]
}

export type Counts = Readonly<Record<Outcome, number>>

export const countOutcomes = (results: readonly CaseResult[]): Counts => {
  const counts = { passed: 0, failed: 0, error: 0, skipped: 0, notRun: 0 }
  for (const { outcome } of results) counts[outcome]++
  return counts
}

const names: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'could not be checked',
  skipped: 'for other machines',
  notRun: 'not run',
}

export const countsText = (counts: Counts): string =>
  (['passed', 'failed', 'error', 'skipped', 'notRun'] as const)
    .filter((outcome) => counts[outcome] > 0 || outcome === 'passed')
    .map((outcome) => `${counts[outcome]} ${names[outcome]}`)
    .join(', ')

export class CheckFailed extends Error {
  readonly mismatch: Mismatch

  constructor(mismatch: Mismatch) {
    super(mismatch.message)
    this.name = 'CheckFailed'
    this.mismatch = mismatch
  }
}
