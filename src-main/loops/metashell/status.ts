import { checkText } from '@shared/hostCheck'
import type { RunHold } from '@shared/runHold'
import type { RunView } from '../../formats/run'
import type { LoopEnd } from '../loop'
import { endOfHold } from '../runGuard'
import { nextStep } from './nextStep'
import type { Snapshot } from './snapshot'

export interface SessionStatus {
  readonly project: string | null
  readonly phase: string
  readonly phaseTitle: string | null
  /** As context.md says; 0 when unknown. */
  readonly phases: number
  readonly done: number
  readonly tasks: number
  readonly replans: number
  readonly maxReplans: number
  readonly status: string | null
  readonly nextTask: string | null
  readonly needs: readonly string[]
  readonly checks: readonly string[]
  readonly end: LoopEnd | null
}

export function sessionStatus(
  view: Pick<RunView, 'title' | 'phases' | 'needs'>,
  session: Snapshot,
  held?: RunHold,
): SessionStatus {
  const { phase, plan, gapCount, maxGapRetries, status } = session
  const tasks = plan?.tasks ?? []
  const next = plan?.tasks[plan.cursor]
  return {
    project: view.title.value,
    phase,
    phaseTitle: view.phases.find(({ key }) => key === String(Number(phase)))?.title.value ?? null,
    phases: view.phases.length,
    done: tasks.filter((task) => task.status === 'complete').length,
    tasks: tasks.length,
    replans: gapCount,
    maxReplans: maxGapRetries,
    status: status ?? null,
    nextTask: next ? `${next.id} ${next.title}`.trim() : null,
    needs: view.needs.map(({ title, detail }) => (detail === title ? title : `${title}: ${detail}`)),
    checks: view.phases.flatMap((phase) =>
      phase.tasks.flatMap(({ key, check }) => (check ? [`${key} ${checkText(check)}: ${check.command}`] : [])),
    ),
    end: endOf(session) ?? (held ? endOfHold(held) : null),
  }
}

function endOf(session: Snapshot): LoopEnd | null {
  const step = nextStep(session)
  if (step.kind === 'rest') return step.end
  if (step.kind === 'impossible') return { outcome: 'failed', message: step.message, hint: step.hint }
  return step.kind === 'write' ? (step.verdict.end ?? null) : null
}

export const printStatus = (shown: SessionStatus): string =>
  [
    `Project: ${shown.project ?? 'unknown'}`,
    `Phase: ${shown.phase}${shown.phases > 0 ? ` of ${shown.phases}` : ''}${shown.phaseTitle === null ? '' : `: ${shown.phaseTitle}`}`,
    `Progress: ${shown.done}/${shown.tasks} tasks`,
    `Re-plans: ${shown.replans}/${shown.maxReplans}`,
    `Status: ${shown.status ?? 'unknown'}`,
    ...(shown.nextTask === null ? [] : [`Next task: ${shown.nextTask}`]),
    ...shown.checks.map((check) => `Check: ${check}`),
    ...shown.needs.map((need) => `Needs you: ${need}`),
    ...(shown.end === null ? [] : ['', shown.end.message]),
  ].join('\n')
