import { areApart, depthsOf } from '../../../formats/maestro/session/phaseOrder'
import type { LoopEnd } from '../../loop'

export interface PhaseState {
  readonly key: string
  readonly title: string
  readonly status: string
  readonly agents: readonly string[]
  readonly blockedBy: readonly string[]
  readonly parallel: boolean
  readonly files: readonly string[]
  readonly retries: number
  readonly openError: string | null
}

export interface SessionState {
  readonly status: string
  readonly mode: 'parallel' | 'sequential' | null
  readonly phases: readonly PhaseState[]
  readonly maxRetries: number | null
  readonly obstacle: string | null
  readonly review: 'due' | 'blocked' | 'none'
  readonly archives: boolean
  /** Archiving it would leave behind what is not merged. */
  readonly isInWorktree: boolean
  readonly hasLanes: boolean
  readonly granted: ReadonlySet<string>
}

export type SessionStep =
  | { readonly kind: 'rest'; readonly end: LoopEnd }
  | { readonly kind: 'run'; readonly phase: string }
  | { readonly kind: 'batch'; readonly phases: readonly string[] }
  | { readonly kind: 'review' }
  | { readonly kind: 'archive' }

/** Types of errors that are never resolved by trying again. */
const forPeople = new Set(['file_conflict', 'dependency'])

export function nextStep(session: SessionState): SessionStep {
  const { status, phases, mode, obstacle, maxRetries, granted } = session
  if (status === 'completed') return rest('done', 'The session is completed.', 'Archive it.')
  if (status !== 'in_progress')
    return rest(
      'failed',
      `The session is ${status === '' ? 'without a status' : status}.`,
      'Archive it, or correct its status.',
    )
  if (phases.length === 0) return rest('failed', 'The session has no phases.', 'Add them in an editor.')
  if (obstacle !== null) return rest('gate', obstacle, 'See what waits for you.')
  if (maxRetries === null) return rest('waiting', 'MAESTRO_MAX_RETRIES is no number.', 'Correct it in .env.')
  const open = phases.filter((phase) => phase.status !== 'completed' && phase.status !== 'skipped')
  if (open.length === 0) return afterPhases(session)
  if (mode === null)
    return rest(
      'gate',
      'The execution mode is not chosen.',
      'Choose parallel or sequential, or set MAESTRO_EXECUTION_MODE.',
    )
  const strange = open.find((phase) => !['pending', 'in_progress', 'failed'].includes(phase.status))
  if (strange)
    return rest('waiting', `Phase “${strange.title}” has the unknown status “${strange.status}”.`, 'Correct it.')
  const failed = open.filter((phase) => phase.status === 'failed')
  const stuck = failed.find(
    (phase) =>
      !granted.has(phase.key) &&
      (phase.retries >= maxRetries || (phase.openError !== null && forPeople.has(phase.openError))),
  )
  if (stuck)
    return rest(
      'waiting',
      stuck.retries >= maxRetries
        ? `Phase “${stuck.title}” failed, and ${usedUp(maxRetries)}.`
        : `Phase “${stuck.title}” failed, and needs your decision: ${stuck.openError ?? ''}.`,
      'Retry it, skip it, or abort the session.',
    )
  const [begun = failed[0]] = open.filter((phase) => phase.status === 'in_progress')
  if (begun) return { kind: 'run', phase: begun.key }
  const ready = open.filter(({ blockedBy }) =>
    blockedBy.every((key) => phases.find((phase) => phase.key === key)?.status === 'completed'),
  )
  const [first] = ready
  if (!first)
    return rest(
      'waiting',
      `No phase can start: “${open[0]?.title ?? ''}” waits for ${missing(open[0], phases)}.`,
      'Skip or unblock it.',
    )
  const group = mode === 'parallel' ? together(first, ready, phases) : [first]
  return group.length > 1 ? { kind: 'batch', phases: group.map(({ key }) => key) } : { kind: 'run', phase: first.key }
}

function afterPhases({ review, archives, isInWorktree, hasLanes }: SessionState): SessionStep {
  if (review === 'due') return { kind: 'review' }
  if (review === 'blocked')
    return rest(
      'gate',
      'All phases are done. The code review found critical or major problems.',
      'Mend or accept them.',
    )
  if (hasLanes)
    return rest(
      'gate',
      'All phases are done. The work of some agents is on branches of their own.',
      'Merge or throw away each of them; then run the session again.',
    )
  if (isInWorktree)
    return rest('done', 'All phases are done, in the worktree.', 'Merge it or throw it away; then archive the session.')
  return archives
    ? { kind: 'archive' }
    : rest(
        'gate',
        'All phases are done. The session can be archived.',
        'Archive it; MAESTRO_AUTO_ARCHIVE does it by itself.',
      )
}

function together(
  first: PhaseState,
  ready: readonly PhaseState[],
  phases: readonly PhaseState[],
): readonly PhaseState[] {
  const depths = depthsOf(phases)
  if (!first.parallel) return [first]
  const group: PhaseState[] = []
  for (const phase of ready)
    if (
      phase.parallel &&
      depths.get(phase.key) === depths.get(first.key) &&
      group.every((other) => areApart(other, phase))
    )
      group.push(phase)
  return group
}

const missing = (phase: PhaseState | undefined, phases: readonly PhaseState[]): string =>
  (phase?.blockedBy ?? [])
    .filter((key) => phases.find((other) => other.key === key)?.status !== 'completed')
    .map((key) => `phase ${key}`)
    .join(', ')

const rest = (outcome: LoopEnd['outcome'], message: string, hint: string): SessionStep => ({
  kind: 'rest',
  end: { outcome, message, hint },
})

const usedUp = (retries: number): string =>
  retries === 0
    ? 'a phase here has no retries'
    : retries === 1
      ? 'its retry is used up'
      : `its ${retries} retries are used up`
