/** Where a crew stands, in the words of `ncrew status`. */
import { field, textOf } from '../../formats/text/located'
import type { Remembered } from '../../formats/format'
import { openGate } from '../../formats/ncrew/gates'
import { indexFact } from '../../formats/ncrew/read'
import { isPending, manifestPhases, nextTask, slug, type State } from '../../formats/ncrew/state'
import { dollars } from '../limits'
import { crewLimits, crewUsage, type CrewLimits } from './crewLimits'
import { checkTermination } from './termination'

export interface CrewStatus {
  /** Null where no file tells. */
  readonly project: string | null
  readonly phase: string | null
  /** Its place among the phases, from 1; null when it is none of them. */
  readonly phaseNumber: number | null
  readonly phases: number
  readonly done: number
  readonly tasks: number
  readonly iterations: number
  readonly maxIterations: number
  /** USD */
  readonly cost: number
  readonly maxCost: number
  /** As INDEX.md says: a claim. */
  readonly status: string | null
  readonly nextTask: string | null
  readonly questions: readonly string[]
  /** The phase that waits for an approval. */
  readonly gate: string | null
  /** With which code a run would end at once; 100 when it would go on, and no reason then. */
  readonly code: number
  readonly reason: string | null
}

export function crewStatus(state: State, remembered: Remembered, wanted: Partial<CrewLimits> = {}): CrewStatus {
  const { manifest, tasks, index } = state
  const heading = index?.lines.find((line) => line.kind === 'heading' && line.level === 1)
  const next = nextTask(state)
  const told = indexFact(state, 'current_phase', textOf).value
  const phase = next ? slug(next.phase.name) : told === null ? null : slug(told)
  const named = manifestPhases(state).map((node) => slug(textOf(node) ?? textOf(field(node, 'name')) ?? ''))
  const phases = named.length > 0 ? named : state.phases.map(({ name }) => slug(name))
  const place = phase === null ? -1 : phases.indexOf(phase)
  const all = state.phases.flatMap((one) => one.tasks)
  const limits = crewLimits(state, wanted)
  const used = crewUsage(state)
  const verdict = checkTermination(state, used, limits, remembered)
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
    status: indexFact(state, 'status', textOf).value,
    nextTask: next?.task.line.text ?? null,
    questions: state.questions.filter(isPending).map(({ file }) => file.text.path),
    gate: openGate(state, remembered)?.phase.name ?? null,
    code: verdict.code,
    reason: verdict.code === 100 ? null : verdict.message,
  }
}

/** The six lines of the specification, and why the crew would not go on. */
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
  reason,
}: CrewStatus): string =>
  [
    `Project: ${project ?? 'unknown'}`,
    `Phase: ${phase ?? 'unknown'}${phaseNumber === null ? '' : ` (${phaseNumber}/${phases})`}`,
    `Progress: ${done}/${tasks} tasks`,
    `Iteration: ${iterations}/${maxIterations}`,
    `Cost: ${dollars(cost)} / ${dollars(maxCost)}`,
    `Status: ${status ?? 'unknown'}`,
    ...(reason === null ? [] : ['', reason]),
  ].join('\n')
