import type { RunStory } from '@shared/contract/orchestration'
import { adjacencyOf } from '@shared/graph/components'
import { numberKeys } from '../../formats/dependencies'
import { progressOf } from '../../formats/progress'
import type { PhaseView, RunView } from '../../formats/run'

type ToldView = Pick<RunView, 'phases' | 'currentPhase' | 'errors' | 'updatedAt'>

export function runStory(view: ToldView): RunStory {
  const { phases } = view
  const { done, total } = progressOf(phases)
  const at = phaseAtHand(view)
  const phase = phases[at]
  return { phases: { done, total }, phase: phase ? describePhase(view, phase, at) : null }
}

const isOver = ({ state }: PhaseView): boolean => state.value === 'done' || state.value === 'skipped'

function phaseAtHand({ phases, currentPhase }: ToldView): number {
  const current = phases.findIndex(({ key }) => key === currentPhase.value)
  const here = phases[current]
  if (here?.state.value === 'failed') return current
  const failed = phases.findIndex(({ state }) => state.value === 'failed')
  if (failed >= 0) return failed
  if (here && !isOver(here)) return current
  const active = phases.findIndex(({ state }) => state.value === 'active')
  return active >= 0 ? active : phases.findIndex((phase, at) => at > current && !isOver(phase))
}

function describePhase(
  { phases, errors, updatedAt }: ToldView,
  phase: PhaseView,
  at: number,
): NonNullable<RunStory['phase']> {
  const { state, title, tasks, started, retries } = phase
  const { done, total } = progressOf(tasks)
  const own = new Set([phase.key, ...tasks.map(({ key }) => key)])
  const errorTimes = errors.flatMap(({ at: where, time }) =>
    where !== null && own.has(where) ? (time.value ?? []) : [],
  )
  return {
    number: at + 1,
    title: title.value ?? '',
    state: state.value,
    tasks: { done, total },
    since:
      state.value === 'failed'
        ? (errorTimes.sort((a, b) => b - a)[0] ?? updatedAt.value)
        : state.value === 'active'
          ? (started?.value ?? null)
          : null,
    retries: retries?.value ?? null,
    waiting: waitingFor(phases, at),
  }
}

function waitingFor(phases: readonly PhaseView[], at: number): number {
  const numbers = numberKeys(phases)
  const edges = phases.flatMap(({ dependencies }, to) =>
    dependencies.flatMap(({ value }) => {
      const from = value === null ? undefined : numbers.get(value)
      return from === undefined ? [] : [from, to]
    }),
  )
  const dependents = adjacencyOf(phases.length, edges, 0)
  const reached = new Set([at])
  for (const number of reached) for (const next of dependents[number] ?? []) reached.add(next)
  return phases.filter((phase, number) => number !== at && reached.has(number) && !isOver(phase)).length
}
