import type { Standing } from '@shared/contract/orchestration'
import { cardTitle, standingOf, type Plan } from './plan/plan'

export interface PhaseProgress {
  readonly key: string
  readonly title: string
  readonly standing: Standing
  readonly done: number
  readonly total: number
}

const isOver = (standing: Standing): boolean => standing === 'done' || standing === 'skipped'

export function phaseProgress(plan: Plan): PhaseProgress[] {
  return plan.phases.flatMap((phase, node): PhaseProgress[] => {
    if (phase !== -1 || node >= plan.rows) return []
    const standing = standingOf(plan, node)
    const tasks = plan.tasks.get(node) ?? [node]
    return [
      {
        key: plan.keys[node] ?? '',
        title: cardTitle(plan, node),
        standing,
        done: isOver(standing) ? tasks.length : tasks.filter((task) => isOver(standingOf(plan, task))).length,
        total: tasks.length,
      },
    ]
  })
}
