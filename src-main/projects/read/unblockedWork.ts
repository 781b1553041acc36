import type { RunNeed } from '@shared/contract/orchestration'
import { adjacencyOf } from '@shared/graph/components'
import type { RunView } from '../../formats/run'
import { planGraph, type PlanGraph } from './planGraph'

/**
 * Each need with everything not done that waits for what it blocks, even indirectly, in the run's order. Unknown keys
 * stay; a need that blocks the whole run has no keys.
 */
export function withUnblockedWork(view: Pick<RunView, 'phases' | 'needs'>): readonly RunNeed[] {
  if (view.needs.every(({ unblocks }) => unblocks.length === 0)) return view.needs
  const graph = planGraph(view)
  return view.needs.map((need) => ({ ...need, unblocks: unblockedWork(need.unblocks, graph) }))
}

function unblockedWork(keys: readonly string[], graph: PlanGraph): readonly string[] {
  const { items, standings, numberOf } = graph
  const named = new Set(keys.flatMap((key) => numberOf(key) ?? []))
  const reached = reachedFrom(named, graph)
  const unblocked = items.flatMap((item, number) => {
    const isWork = !('tasks' in item && item.tasks.length > 0)
    const isOpen = standings[number] !== 'done' && standings[number] !== 'skipped'
    return named.has(number) || (reached.has(number) && isWork && isOpen) ? [item.key] : []
  })
  const found = new Set(unblocked)
  return [...unblocked, ...keys.filter((key) => !found.has(key))]
}

/** A phase is done when its tasks are, and tasks wait for what their phase waits for. O(V + E). */
function reachedFrom(named: ReadonlySet<number>, { items, phases, missing, edges }: PlanGraph): ReadonlySet<number> {
  const count = items.length + missing.length
  const dependents = adjacencyOf(count, edges, 0)
  const tasksOf = adjacencyOf(
    count,
    phases.flatMap((phase, task) => (phase === -1 ? [] : [phase, task])),
    0,
  )
  const reached = new Set(named)
  const delayed = new Set<number>()
  for (const number of reached) {
    for (const next of dependents[number] ?? []) reached.add(next)
    if (!named.has(number)) for (const task of tasksOf[number] ?? []) reached.add(task)
    const phase = phases[number] ?? -1
    if (phase === -1 || delayed.has(phase)) continue
    delayed.add(phase)
    for (const next of dependents[phase] ?? []) reached.add(next)
  }
  return reached
}
