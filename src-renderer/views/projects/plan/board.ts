import { standings, type Standing } from '@shared/contract/orchestration'
import { standingLooks, standingOf, type Plan } from './plan'

export interface BoardColumn {
  readonly key: string
  readonly title: string
  readonly nodes: readonly number[]
}

const always: readonly Standing[] = ['ready', 'blocked', 'active', 'done', 'failed', 'skipped']
const together: ReadonlyMap<Standing, Standing> = new Map<Standing, Standing>([
  ['dead', 'blocked'],
  ['cyclic', 'blocked'],
])

const workOf = (plan: Plan): number[] => plan.keys.flatMap((_, node) => (plan.tasks.has(node) ? [] : [node]))

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
