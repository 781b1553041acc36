import { AppError } from '@shared/contract/errors'
import { listNames } from '@shared/listNames'
import { runHold, type RunHold } from '@shared/runHold'
import { tuning } from '../../formats/tuning/format'
import { stepLabel } from '../../formats/tuning/actions/steps'
import { leftIssues } from '../../formats/tuning/shownDetails'
import { openState } from '../../formats/tuning/state'
import type { LoadRemembered } from '../../projects/read/inspectProject'
import { diskSource, readRun, runKey, runLimits } from '../../projects/read/readRun'
import { scanProject } from '../../projects/read/scanProject'
import { endOfHold } from '../runGuard'
import { nextStep } from './nextStep'
import { snapshotOf, type Snapshot } from './snapshot'

export interface TuningStatus {
  readonly run: string
  readonly skill: string | null
  readonly status: string | null
  readonly score: number | null
  readonly gate: string | null
  readonly iterations: number
  readonly maxIterations: number
  readonly issues: number
  readonly urgent: number
  readonly pending: readonly string[]
  readonly left: readonly { readonly issue: string; readonly because: string }[]
  readonly unverified: readonly string[]
  readonly errors: number
  readonly next: string
}

/**
 * Oldest first.
 * @throws AppError NOT_FOUND where there is no run
 */
export async function tuningStatus(
  folder: string,
  loadRemembered: LoadRemembered,
  signal: AbortSignal,
): Promise<{ readonly folder: string; readonly runs: readonly TuningStatus[] }> {
  const { root, listing } = await scanProject(folder, signal)
  const candidates = tuning.detect(listing).sort((one, other) => (one.marker < other.marker ? -1 : 1))
  if (candidates.length === 0)
    throw new AppError('NOT_FOUND', `There is no tuning run in ${folder}.`, {
      hint: 'tuning init makes one for a skill.',
    })
  const runs: TuningStatus[] = []
  for (const candidate of candidates) {
    const source = diskSource(root, listing, loadRemembered(root)(runKey(tuning, candidate)))
    const { files } = await readRun({}, candidate, source, runLimits, { signal })
    const state = openState(files)
    const { details } = state
    const snapshot = snapshotOf(state, files.remembered)
    const { status, gate, iterations, maxIterations, issues, urgent, pending, unverified, errors } = snapshot
    runs.push({
      run: candidate.marker,
      skill: details.skill.path.value,
      status,
      score: details.score.recorded.value,
      gate,
      iterations,
      maxIterations,
      issues,
      urgent,
      pending,
      left: leftIssues(state),
      unverified,
      errors,
      next: nextOf(snapshot, runHold(files.remembered)),
    })
  }
  return { folder: root, runs }
}

function nextOf(snapshot: Snapshot, held: RunHold | undefined): string {
  if (held) {
    const { message, hint } = endOfHold(held)
    return `${message} ${hint}`
  }
  const next = nextStep(snapshot, {
    isAuto: false,
    resumes: false,
    hasFixer: false,
    analyst: 'none',
    undecided: new Set(),
    asked: new Set(),
    answered: null,
    idleRounds: 0,
  })
  if ('step' in next) return `${stepLabel(next.step)}.`
  const { message, hint } = next.end
  return hint === undefined ? message : `${message} ${hint}`
}

/**
 * Without a name, the only run that is not completed.
 * @throws AppError NOT_FOUND or CONFLICT
 */
export function chooseRun(runs: readonly TuningStatus[], named: string | undefined): TuningStatus {
  const found = runs.filter(({ run, status }) =>
    named === undefined ? status !== 'completed' : run === named || run.endsWith(`/${named}`),
  )
  const [only, ...others] = found.length === 0 && named === undefined ? runs.slice(-1) : found
  if (!only)
    throw new AppError('NOT_FOUND', `There is no run ${named ?? ''}.`, {
      hint: `Runs: ${listNames(runs.map(({ run }) => run))}.`,
    })
  if (others.length > 0)
    throw new AppError('CONFLICT', `There are ${found.length} unfinished runs.`, {
      hint: `Choose one with --run: ${listNames(found.map(({ run }) => run))}.`,
    })
  return only
}
