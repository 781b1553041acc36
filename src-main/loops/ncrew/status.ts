import { isOnlyShown, runHold } from '@shared/runHold'
import { field, textOf } from '../../formats/text/located'
import type { Remembered } from '../../formats/format'
import { openGate } from '../../formats/ncrew/gates'
import { indexFact } from '../../formats/ncrew/indexFacts'
import { phaseSlug, slug } from '../../formats/ncrew/heading'
import { boxesToAsk } from '../../formats/ncrew/outsideBoxes'
import { isOpen } from '../../formats/ncrew/questions'
import { manifestPhaseKeys, nextTask, type State } from '../../formats/ncrew/state'
import { unclear } from '../../formats/ncrew/unclear'
import { endOfHold } from '../runGuard'
import { dollars } from '../limits'
import { crewLimits, crewUsage, type CrewLimits } from './crewLimits'
import { checkTermination } from './termination'

type CrewState = 'not_started' | 'in_progress' | 'blocked' | 'complete'

export interface CrewStatus {
  readonly project: string | null
  readonly phase: string | null
  readonly phaseNumber: number | null
  readonly phases: number
  readonly done: number
  readonly tasks: number
  readonly iterations: number
  readonly maxIterations: number
  /** USD */
  readonly cost: number
  readonly maxCost: number
  readonly status: CrewState
  /** A model writes INDEX.md, so this is only a claim. */
  readonly claimed: string | null
  readonly nextTask: string | null
  readonly questions: readonly string[]
  readonly gate: string | null
  readonly code: number
  readonly reason: string | null
}

export function crewStatus(state: State, remembered: Remembered, requested: Partial<CrewLimits> = {}): CrewStatus {
  const { manifest, tasks, index } = state
  const heading = index?.lines.find((line) => line.kind === 'heading' && line.level === 1)
  const next = nextTask(state)
  const indexPhase = indexFact(state, 'current_phase', textOf).value
  const current = next?.phase ?? state.phases.at(-1)
  const phase = current ? slug(current.name) : indexPhase === null ? null : phaseSlug(indexPhase)
  const phases = state.phases.length > 0 ? state.phases.map(({ name }) => slug(name)) : manifestPhaseKeys(state)
  const place = phase === null ? -1 : phases.indexOf(phase)
  const all = state.phases.flatMap((one) => one.tasks)
  const limits = crewLimits(state, requested)
  const used = crewUsage(state)
  const held = runHold(remembered)
  const verdict = checkTermination(state, used, limits, remembered)
  const end = verdict.code !== 100 ? verdict : held && !isOnlyShown(held) ? endOfHold(held) : undefined
  return {
    project:
      textOf(field(field(manifest?.root, 'project'), 'name')) ??
      textOf(field(tasks?.front.document.root, 'project')) ??
      (heading?.kind === 'heading' ? heading.text : null),
    phase,
    phaseNumber: place < 0 ? null : place + 1,
    phases: phases.length,
    done: all.filter(({ line }) => line.checked).length,
    tasks: all.length,
    ...used,
    ...limits,
    status: stateOf(state, remembered),
    claimed: indexFact(state, 'status', textOf).value,
    nextTask: next?.task.line.text ?? null,
    questions: state.questions.filter(isOpen).map(({ file }) => file.text.path),
    gate: openGate(state, remembered)?.phase.name ?? null,
    code: end?.code ?? 100,
    reason: end?.message ?? null,
  }
}

function stateOf(state: State, remembered: Remembered): CrewState {
  if (state.complete !== undefined) return 'complete'
  if (state.questions.some(isOpen) || unclear(state).length > 0) return 'blocked'
  if (boxesToAsk(state, remembered).length > 0) return 'blocked'
  const hasBegun = state.phases.some(({ derived }) => derived === 'COMPLETE' || derived === 'IN PROGRESS')
  const claimed = indexFact(state, 'status', textOf).value
  return !hasBegun && claimed === 'not_started' ? 'not_started' : 'in_progress'
}

export const printStatus = ({
  project,
  phase,
  phaseNumber,
  phases,
  done,
  tasks,
  iterations,
  maxIterations,
  cost,
  maxCost,
  status,
  claimed,
  reason,
}: CrewStatus): string =>
  [
    `Project: ${project ?? 'unknown'}`,
    `Phase: ${phase ?? 'unknown'}${phaseNumber === null ? '' : ` (${phaseNumber}/${phases})`}`,
    `Progress: ${done}/${tasks} tasks`,
    `Iteration: ${iterations}/${maxIterations}`,
    `Cost: ${dollars(cost)} / ${dollars(maxCost)}`,
    `Status: ${status}${claimed === null || claimed === status ? '' : ` (INDEX.md says ${claimed})`}`,
    ...(reason === null ? [] : ['', reason]),
  ].join('\n')
