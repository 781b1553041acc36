import type { Standing } from '@shared/contract/orchestration'
import { adjacencyOf, isRing, strongComponents, type Adjacency } from '@shared/graph/components'
import { numberKeys } from '../../formats/dependencies'
import type { WorkState } from '@shared/contract/orchestration'
import type { PhaseView, RunView, TaskView } from '../../formats/run'

export type PlanItem = PhaseView | TaskView

/** Items are numbered in the run's order, each phase before its tasks; missing ones follow. */
export interface PlanGraph {
  readonly items: readonly PlanItem[]
  /** -1 for a phase. */
  readonly phases: readonly number[]
  readonly missing: readonly string[]
  /** Pairs: a dependency, and what waits for it. */
  readonly edges: readonly number[]
  readonly standings: readonly Standing[]
  /**
   * Empty without dependencies. The longest chain by duration where any is known; otherwise by the number of items not
   * done.
   */
  readonly critical: readonly number[]
  readonly numberOf: (key: string) => number | undefined
  readonly isOneRing: (a: number, b: number) => boolean
}

const isFinished = (state: WorkState | null | undefined): boolean => state === 'done' || state === 'skipped'

export function planGraph({ phases }: Pick<RunView, 'phases'>): PlanGraph {
  const items: PlanItem[] = []
  const phaseOf: number[] = []
  for (const phase of phases) {
    const number = items.push(phase) - 1
    phaseOf.push(-1)
    for (const task of phase.tasks) {
      items.push(task)
      phaseOf.push(number)
    }
  }
  const numbers = numberKeys(items)
  const missing: string[] = []
  const edges: number[] = []
  items.forEach(({ dependencies }, item) => {
    for (const key of new Set(dependencies.flatMap(({ value }) => value ?? []))) {
      let number = numbers.get(key)
      if (number === undefined) numbers.set(key, (number = items.length + missing.push(key) - 1))
      edges.push(number, item)
    }
  })
  const count = items.length + missing.length
  const states = items.map(({ state }) => state.value)
  const isOpen = (number: number): boolean => number >= items.length || !isFinished(states[number])
  const open: number[] = []
  for (let edge = 0; edge < edges.length; edge += 2) {
    const [from = 0, to = 0] = edges.slice(edge, edge + 2)
    if (isOpen(from) && isOpen(to)) open.push(from, to)
  }
  const waitsFor = adjacencyOf(count, [...open, ...inherited(phaseOf, open)], 1)
  const components = strongComponents(waitsFor)
  const ring = new Int32Array(count).fill(-1)
  components.forEach((component, at) => {
    if (isRing(component, waitsFor)) for (const member of component) ring[member] = at
  })
  return {
    items,
    phases: phaseOf,
    missing,
    edges,
    standings: standingsOf(states, missing.length, waitsFor, components, ring),
    critical:
      longestByTime(items, edges, phaseOf, count) ??
      longestChain(waitsFor, components, (number) => (number < items.length && isOpen(number) ? 1 : 0)),
    numberOf: (key) => numbers.get(key),
    isOneRing: (a, b) => ring[a] !== -1 && ring[a] === ring[b],
  }
}

/** Pairs: what a phase waits for, and each of its tasks. */
function inherited(phaseOf: readonly number[], edges: readonly number[]): number[] {
  const tasks = new Map<number, number[]>()
  phaseOf.forEach((phase, task) => {
    if (phase === -1) return
    const known = tasks.get(phase)
    if (known) known.push(task)
    else tasks.set(phase, [task])
  })
  const pairs: number[] = []
  for (let edge = 0; edge < edges.length; edge += 2) {
    const [from = 0, to = 0] = [edges[edge], edges[edge + 1]]
    for (const task of tasks.get(to) ?? []) if (from !== to && phaseOf[from] !== to) pairs.push(from, task)
  }
  return pairs
}

function standingsOf(
  states: readonly (WorkState | null)[],
  missing: number,
  waitsFor: Adjacency,
  components: readonly (readonly number[])[],
  ring: Int32Array,
): Standing[] {
  const standings = [
    ...states.map((state): Standing => (state === null ? 'unknown' : state === 'todo' ? 'ready' : state)),
    ...Array<Standing>(missing).fill('missing'),
  ]
  const dooms = (standing: Standing | undefined): boolean =>
    standing === 'failed' || standing === 'missing' || standing === 'dead' || standing === 'cyclic'
  for (const component of components) {
    for (const number of component) {
      if (states[number] !== 'todo') continue
      const before = waitsFor[number] ?? []
      if (ring[number] !== -1) standings[number] = 'cyclic'
      else if (before.some((other) => dooms(standings[other]))) standings[number] = 'dead'
      else if (before.length > 0) standings[number] = 'blocked'
    }
  }
  return standings
}

/** Null where no duration is known; unknown ones count as the average of the others. */
function longestByTime(
  items: readonly PlanItem[],
  edges: readonly number[],
  phaseOf: readonly number[],
  count: number,
): number[] | null {
  const durations = items.map(({ started, completed }) => {
    const [from, to] = [started?.value ?? null, completed?.value ?? null]
    return from === null || to === null || to < from ? null : to - from
  })
  const known = durations.filter((duration) => duration !== null)
  if (known.length === 0) return null
  const mean = known.reduce((sum, duration) => sum + duration, 0) / known.length
  const after = adjacencyOf(count, [...edges, ...inherited(phaseOf, edges)], 1)
  return longestChain(after, strongComponents(after), (number) =>
    number >= items.length || items[number]?.state.value === 'skipped' ? 0 : Math.max(1, durations[number] ?? mean),
  )
}

function longestChain(
  waitsFor: Adjacency,
  components: readonly (readonly number[])[],
  weightOf: (number: number) => number,
): number[] {
  const place = new Int32Array(waitsFor.length)
  components.forEach((component, at) => component.forEach((number) => (place[number] = at)))
  const lengths = new Float64Array(components.length)
  const before = new Int32Array(components.length).fill(-1)
  let longest = -1
  components.forEach((component, at) => {
    for (const other of component.flatMap((number) => waitsFor[number] ?? [])) {
      const to = place[other] ?? 0
      if (to !== at && (before[at] === -1 || (lengths[to] ?? 0) > (lengths[before[at] ?? 0] ?? 0))) before[at] = to
    }
    const own = component.reduce((sum, number) => sum + weightOf(number), 0)
    lengths[at] = own + (lengths[before[at] ?? -1] ?? 0)
    if ((lengths[at] ?? 0) > (lengths[longest] ?? 0)) longest = at
  })
  const chain: number[] = []
  for (let at = longest; at >= 0; at = before[at] ?? -1)
    chain.unshift(...(components[at] ?? []).filter((number) => weightOf(number) > 0))
  return chain.length > 1 ? chain : []
}
