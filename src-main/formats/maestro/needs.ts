import type { Fact, RunNeed, ValueSource } from '@shared/contract/orchestration'
import { unclearStatus } from '../run'
import { isUnreadable } from '../text/stateFile'
import type { MaestroDetails, PhaseDetails, SessionDetails } from './details'
import { currentReview } from './session/review'
import type { MaestroState } from './state'

export const CHOOSE_MODE = 'Choose how to run the phases'

export function readNeeds(state: MaestroState, session: SessionDetails, file: string): RunNeed[] {
  const { details, maxRetries, findings } = state
  const gates = gateNeeds(details)
  const { value, written, source: statusSource } = session.status
  if (value === 'completed' || value === 'failed') return gates
  if (value !== 'in_progress') return [...gates, unclearStatus(value ?? written, statusSource ?? { file })]
  const { phases } = details
  const since = session.updated
  const open = phases.filter(({ status }) => status.value !== 'completed' && status.value !== 'skipped')
  // Its other phases may be in the part that is missing.
  const isTorn = findings.some((finding) => finding.file === file && isUnreadable(finding))
  const modeNeed: RunNeed = {
    kind: 'gate',
    title: CHOOSE_MODE,
    detail: 'Independent phases can run in parallel.',
    options: ['parallel', 'sequential'],
    source: session.executionMode.source ?? session.status.source ?? { file },
    since,
    unblocks: open.map(({ key }) => key),
  }
  const archiveNeed: RunNeed = {
    kind: 'approval',
    title: 'Review and archive the session',
    detail: 'All phases are done.',
    options: ['Archive'],
    source: session.status.source ?? { file },
    since,
    unblocks: [],
  }
  return [
    ...gates,
    ...(session.executionMode.value === null && open.length > 0 ? [modeNeed] : []),
    ...phases.flatMap((phase) => phaseNeeds(phase, phases, maxRetries.value, since, file)),
    ...(phases.length > 0 && open.length === 0 && !isTorn ? [reviewNeed(state, since) ?? archiveNeed] : []),
  ]
}

function reviewNeed(state: MaestroState, since: Fact<number>): RunNeed | undefined {
  const review = currentReview(state)
  if (review?.verdict !== 'blocked') return undefined
  return {
    kind: 'failure',
    title: `The code review found ${review.counts}`,
    detail: review.text,
    options: ['Fix and review again', 'Accept'],
    source: review.source,
    since,
    unblocks: [],
  }
}

export const isErrorOpen = (phaseStatus: string | null, resolved: boolean | null, resolution: string | null): boolean =>
  resolved === false ||
  (resolved === null &&
    (resolution === 'pending' || (resolution === null && phaseStatus !== 'completed' && phaseStatus !== 'skipped'))) ||
  (phaseStatus === 'failed' && resolved !== true)

function phaseNeeds(
  phase: PhaseDetails,
  phases: readonly PhaseDetails[],
  maxRetries: number | null,
  sessionUpdated: Fact<number>,
  file: string,
): RunNeed[] {
  const { key, status, errors, retries, requiresReconciliation, reconciliationReason } = phase
  const title = phase.name.value ?? key
  const open = errors.filter(({ resolved, resolution }) => isErrorOpen(status.value, resolved.value, resolution.value))
  const latest = open.at(-1)
  const source = status.source ?? latest?.message.source ?? { file }
  const need = (
    kind: RunNeed['kind'],
    text: string,
    detail: string,
    at: ValueSource,
    options: readonly string[] = [],
  ): RunNeed => ({
    kind,
    title: text,
    detail,
    options,
    source: at,
    since: latest && latest.time.value !== null ? latest.time : sessionUpdated,
    unblocks: [key, ...phases.flatMap(({ key: other, blockedBy }) => (waitsFor(blockedBy, key) ? [other] : []))],
  })
  const messages = open.map(
    ({ agent, type, message }) =>
      `${[agent.value ?? 'unknown agent', type.value].filter(Boolean).join(', ')}: ${message.value ?? 'no message'}`,
  )
  const needs: RunNeed[] = []
  if (status.value === 'failed') {
    if (maxRetries !== null && (retries.value ?? 0) >= maxRetries)
      messages.push(
        maxRetries === 0
          ? 'A phase here has no retries.'
          : maxRetries === 1
            ? 'Its retry is used up.'
            : `All ${maxRetries} retries are used up.`,
      )
    const options = ['Fix and retry', 'Skip', 'Abort', 'Adjust the plan']
    needs.push(need('failure', `Phase “${title}” failed`, messages.join('\n'), source, options))
  } else if (open.length > 0) {
    const count = open.length === 1 ? 'Unresolved error' : `${open.length} unresolved errors`
    needs.push(need('failure', `${count} in “${title}”`, messages.join('\n'), latest?.resolved.source ?? source))
  }
  if (requiresReconciliation.value === true) {
    const detail = reconciliationReason.value ?? ''
    const at = requiresReconciliation.source ?? source
    needs.push(need('question', `List the files that phase “${title}” changed`, detail, at))
  }
  return needs
}

const waitsFor = (blockedBy: readonly Fact<string>[], key: string): boolean =>
  blockedBy.some(({ value }) => value === key)

export function gateNeeds({ designGates }: MaestroDetails): RunNeed[] {
  return designGates.flatMap(({ open, session, enteredAt, approvedAt, document }) => {
    const source = approvedAt.source ?? enteredAt.source
    if (!open || source === null) return []
    return [
      {
        kind: 'gate',
        title: `Approve the design of ${session.value ?? 'the session'}`,
        detail: document.value ?? '',
        options: ['Approve'],
        source,
        since: enteredAt,
        unblocks: [],
      },
    ]
  })
}
