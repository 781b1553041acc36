import type { Fact, WorkState } from '@shared/contract/orchestration'
import type { RunView } from './run'

interface Work {
  readonly state: Fact<WorkState>
}

export interface Progress {
  readonly done: number
  readonly failed: number
  readonly total: number
}

export function progressOf(work: readonly Work[]): Progress {
  const count = (...states: WorkState[]) =>
    work.filter(({ state }) => state.value !== null && states.includes(state.value)).length
  return { done: count('done', 'skipped'), failed: count('failed'), total: work.length }
}

export const workOf = ({ phases }: Pick<RunView, 'phases'>): readonly Work[] =>
  phases.flatMap((phase): readonly Work[] => (phase.tasks.length > 0 ? phase.tasks : [phase]))
