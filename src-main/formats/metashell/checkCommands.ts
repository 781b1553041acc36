import type { CheckCommand } from '../hostChecks'
import { field, itemsOf, stringOf, textOf } from '../text/located'
import { planOf, tasksOf, type State } from './state'

export function checkCommands(state: State): CheckCommand[] {
  const plan = planOf(state)?.document
  const planned = new Map(itemsOf(field(plan?.root, 'tasks')).map((node) => [textOf(field(node, 'id')), node]))
  return tasksOf(state).flatMap(({ id, node, document }) => {
    const inPlan = field(planned.get(id), 'verification_cmd')
    const place =
      inPlan && plan ? { node: inPlan, document: plan } : { node: field(node, 'verification_cmd'), document }
    const command = stringOf(place.node)
    if (place.node === undefined || command === undefined || command.trim() === '') return []
    return [{ task: id, command, source: place.document.source(place.node) }]
  })
}

export function openChecks(state: State): CheckCommand[] {
  const done = new Set(
    tasksOf(state).flatMap(({ id, status }) => (status && textOf(status.node) === 'complete' ? [id] : [])),
  )
  return checkCommands(state).filter(({ task }) => !done.has(task))
}
