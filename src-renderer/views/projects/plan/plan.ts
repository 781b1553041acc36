import { standings, type Standing } from '@shared/contract/orchestration'
import type { RunGraph } from '@shared/contract/runGraph'
import { adjacencyOf, type Adjacency } from '@shared/graph/components'
import type { ColourName } from '../../../widgets/themeColours'
import { workedFor, type TaskTimes, type TurnSpan } from '../turns/taskTimes'
import { tasksByPhase } from './planLayout'

export interface Plan extends RunGraph {
  readonly dependencies: Adjacency
  readonly dependents: Adjacency
  readonly tasks: ReadonlyMap<number, readonly number[]>
  readonly workerOf: ReadonlyMap<number, RunGraph['workers'][number]>
  readonly measured: ReadonlyMap<number, readonly TurnSpan[]>
}

export function planOf(graph: RunGraph): Plan {
  return {
    ...graph,
    dependencies: adjacencyOf(graph.keys.length, graph.edges, 1),
    dependents: adjacencyOf(graph.keys.length, graph.edges, 0),
    tasks: tasksByPhase(graph.phases),
    workerOf: new Map(graph.workers.map((worker) => [worker.node, worker])),
    measured: new Map(),
  }
}

export function withTimes(plan: Plan, times: TaskTimes): Plan {
  if (times.size === 0) return plan
  const measured = new Map<number, readonly TurnSpan[]>()
  plan.keys.forEach((key, node) => {
    const spans = plan.phases[node] === -1 ? undefined : times.get(key)
    if (spans && (plan.workerOf.get(node)?.started ?? null) === null) measured.set(node, spans)
  })
  return { ...plan, measured }
}

export function haveOneShape(a: Pick<RunGraph, 'phases' | 'edges'>, b: Pick<RunGraph, 'phases' | 'edges'>): boolean {
  const same = (one: readonly number[], other: readonly number[]) =>
    one.length === other.length && one.every((value, at) => value === other[at])
  return same(a.phases, b.phases) && same(a.edges, b.edges)
}

export const standingOf = ({ standings: numbers }: Pick<RunGraph, 'standings'>, node: number): Standing =>
  standings[numbers[node] ?? -1] ?? 'unknown'

/** Such as `3` or `T-12`. */
const shortNumber = /^(?=.*\d)[\w.-]{1,8}$/

export function cardTitle({ keys, titles, phases }: Plan, node: number): string {
  const [key = '', title = ''] = [keys[node], titles[node]]
  const phase = keys[phases[node] ?? -1]
  const own = phase !== undefined && key.startsWith(`${phase}/`) ? key.slice(phase.length + 1) : key
  if (title === '') return own
  return shortNumber.test(own) && !title.includes(own) ? `${own}  ${title}` : title
}

export const agentOf = ({ workerOf, phases }: Plan, node: number): string =>
  workerOf.get(node)?.agent || (workerOf.get(phases[node] ?? -1)?.agent ?? '')

export const MEASURED = ' measured'

/** In ms, so far while it runs; null where no file says and Bridgedeck did not run it. */
export function durationOf(plan: Plan, node: number, now: number): number | null {
  const spans = plan.measured.get(node)
  if (spans) return workedFor(spans, now)
  const { started = null, completed = null } = plan.workerOf.get(node) ?? {}
  if (started === null) return null
  const end = completed ?? (isRunning(plan, node) ? now : null)
  return end === null || end < started ? null : end - started
}

const isRunning = (plan: Plan, node: number): boolean => standingOf(plan, node) === 'active'

export const isCounting = ({ workerOf, measured }: Plan, node: number): boolean =>
  measured.get(node)?.some(({ to }) => to === null) ?? workerOf.get(node)?.completed === null

export const hasRunningTime = (plan: Plan): boolean =>
  plan.workers.some(
    ({ node, started, completed }) => started !== null && completed === null && isRunning(plan, node),
  ) || [...plan.measured.values()].some((spans) => spans.some(({ to }) => to === null))

/** The sign stands for the colour where colours are not seen. */
export const standingLooks: Readonly<
  Record<
    Standing,
    { readonly sign: string; readonly word: string; readonly colour: ColourName; readonly meaning: string }
  >
> = {
  ready: { sign: '○', word: 'ready', colour: 'accent', meaning: 'nothing blocks it' },
  active: { sign: '▶', word: 'active', colour: 'ok', meaning: 'in progress, by the files' },
  blocked: { sign: '‖', word: 'blocked', colour: 'warn', meaning: 'waits for an unfinished task' },
  dead: {
    sign: '⊘',
    word: 'dead-blocked',
    colour: 'bad',
    meaning: 'waits for a task that failed, is missing, or waits for itself',
  },
  cyclic: { sign: '↻', word: 'in a ring', colour: 'bad', meaning: 'waits for itself through other tasks' },
  failed: { sign: '✕', word: 'failed', colour: 'bad', meaning: 'failed, by the files' },
  done: { sign: '✓', word: 'done', colour: 'muted', meaning: 'done, by the files' },
  skipped: { sign: '–', word: 'skipped', colour: 'muted', meaning: 'left out' },
  unknown: { sign: '?', word: 'unknown', colour: 'warn', meaning: 'no file says' },
  missing: { sign: '∅', word: 'not there', colour: 'bad', meaning: 'named as a dependency, but found nowhere' },
}

const finished: ReadonlySet<Standing> = new Set<Standing>(['done', 'skipped'])
const needsSomebody: ReadonlySet<Standing> = new Set<Standing>(['failed', 'missing', 'cyclic'])

export interface Hold {
  /**
   * From the node along what each waits for, to what holds it in the end; only the node when nothing does. A ring ends
   * at its first node again.
   */
  readonly chain: readonly number[]
  readonly roots: readonly number[]
  readonly before: number
}

/** O(V + E) of what comes before the node. */
export function holdOf(plan: Plan, node: number): Hold {
  const waitsFor = (of: number): number[] =>
    finished.has(standingOf(plan, of))
      ? []
      : (plan.dependencies[of] ?? []).filter((other) => !finished.has(standingOf(plan, other)))
  // The node from which each was reached; the first way is the shortest.
  const from = new Map<number, number>([[node, -1]])
  const roots: number[] = []
  const queue = [node]
  let ring: number[] | undefined
  const wayTo = (end: number): number[] => {
    const way: number[] = []
    for (let at = end; at !== -1; at = from.get(at) ?? -1) way.unshift(at)
    return way
  }
  for (const at of queue) {
    const before = waitsFor(at)
    const standing = standingOf(plan, at)
    if (at !== node && (before.length === 0 || needsSomebody.has(standing))) roots.push(at)
    if (at !== node && standing === 'failed') continue
    for (const other of before) {
      if (other === node) ring ??= [...wayTo(at), node]
      if (from.has(other)) continue
      from.set(other, at)
      queue.push(other)
    }
  }
  const urgency = (of: number): number =>
    needsSomebody.has(standingOf(plan, of)) ? 0 : standingOf(plan, of) === 'unknown' ? 1 : 2
  roots.sort((a, b) => urgency(a) - urgency(b))
  const [first] = roots
  return {
    chain: ring ?? (first === undefined ? [node] : wayTo(first)),
    roots,
    before: [...from.keys()].filter((other) => other !== node && standingOf(plan, other) !== 'missing').length,
  }
}

export function wayOut(plan: Plan, node: number): string {
  const { chain, roots, before } = holdOf(plan, node)
  const key = (of: number | undefined): string => plan.keys[of ?? -1] ?? ''
  const standing = standingOf(plan, node)
  if (standing === 'failed') return `Retry ${key(node)}, or skip it.`
  if (standing === 'cyclic') return `Take one dependency out of the ring ${chain.map(key).join(' → ')}.`
  if (standing === 'missing')
    return `Add ${key(node)} to the plan, or take it out of ${listed((plan.dependents[node] ?? []).map(key))}.`
  if (roots.length === 0 || finished.has(standing)) return ''
  const stuck = roots.filter((root) => needsSomebody.has(standingOf(plan, root)))
  const ringTold = stuck.find((root) => standingOf(plan, root) === 'cyclic')
  const steps = stuck
    .filter((root) => standingOf(plan, root) !== 'cyclic' || root === ringTold)
    .map((root) => {
      switch (standingOf(plan, root)) {
        case 'failed':
          return `retry or skip ${key(root)}, which failed`
        case 'missing':
          return `add ${key(root)}, which is not there, or take out the dependency on it`
        default:
          return `take a dependency out of the ring ${holdOf(plan, root).chain.map(key).join(' → ')}`
      }
    })
  const going = roots.filter((root) => !needsSomebody.has(standingOf(plan, root)))
  const tasks = `${before} ${before === 1 ? 'task comes' : 'tasks come'} before it`
  if (steps.length === 0)
    return `Only work: ${listed(going.map((root) => `${key(root)} is ${standingLooks[standingOf(plan, root)].word}`))}. ${tasks}.`
  return `First ${listed(steps)}. ${tasks}.`
}

const MAX_LISTED = 4

function listed(words: readonly string[]): string {
  const shown = words.slice(0, MAX_LISTED)
  const more = words.length - shown.length
  return more > 0
    ? `${shown.join(', ')} and ${more} more`
    : shown.length > 1
      ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`
      : (shown[0] ?? '')
}
