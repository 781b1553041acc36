/** The plan in columns: by how its tasks stand, or by phase. */
import { standings, type Standing } from '@shared/contract/orchestration'
import { standingLooks, standingOf, type Plan } from './plan'

export interface BoardColumn {
  readonly key: string
  readonly title: string
  /** Numbers of nodes, in the order of the plan. */
  readonly nodes: readonly number[]
}

/** In the work's own order; other columns only when there is anything in them. */
const always: readonly Standing[] = ['ready', 'blocked', 'active', 'done', 'failed', 'skipped']
/** What stands in another's column. */
const together: ReadonlyMap<Standing, Standing> = new Map<Standing, Standing>([
  ['dead', 'blocked'],
  ['cyclic', 'blocked'],
])

/** Tasks, and phases that have none. */
const workOf = (plan: Plan): number[] => plan.keys.flatMap((_, node) => (plan.tasks.has(node) ? [] : [node]))

/** Blocked, dead-blocked and what is in a ring stand in one column: each says which it is. */
export function columnsByState(plan: Plan): BoardColumn[] {
  const found = new Map<Standing, number[]>(always.map((standing) => [standing, []]))
  for (const node of workOf(plan)) {
    const standing = standingOf(plan, node)
    const column = together.get(standing) ?? standing
    const nodes = found.get(column)
    if (nodes) nodes.push(node)
    else found.set(column, [node])
  }
  return [...always, ...standings.filter((standing) => !always.includes(standing))].flatMap((standing) => {
    const nodes = found.get(standing)
    return nodes ? [{ key: standing, title: standingLooks[standing].word, nodes }] : []
  })
}

/** Each phase with its tasks; phases without any share the first column. */
export function columnsByPhase(plan: Plan): BoardColumn[] {
  const alone = workOf(plan).filter((node) => plan.phases[node] === -1)
  return [
    ...(alone.length === 0
      ? []
      : [{ key: '', title: plan.tasks.size === 0 ? 'phases' : 'phases without tasks', nodes: alone }]),
    ...[...plan.tasks].map(([phase, nodes]) => ({
      key: `${phase}`,
      title: plan.titles[phase] || plan.keys[phase] || '',
      nodes,
    })),
  ]
}
