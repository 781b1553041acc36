import { AppError } from '@shared/contract/errors'
import type { OfferedField } from '@shared/contract/edits'
import type { ActionPlan } from '../../edit/action'
import type { Offer, Refusal, Values } from '../../edit/offer'
import { quote } from '../../finding'
import { field, itemsOf, textOf } from '../../text/located'
import { fieldNames, planOf, type TaskNode } from '../state'
import { SessionDraft } from './sessionDraft'
import { statusOf, type SessionRun } from './sessionRun'

export function editTask(run: SessionRun, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'edit-task', target: id, because, hint }]
  if (statusOf(task) !== 'pending' && task.status)
    return refuse(
      `Task ${id} cannot be changed (status: ${statusOf(task) ?? 'unknown'}).`,
      'Only open tasks can be changed.',
    )
  if (run.status === 'executing' && run.cursor === index)
    return refuse(`Task ${id} is running.`, 'Halt the session first.')
  const fields: OfferedField[] = [
    { name: 'title', label: 'Title', kind: 'line', value: textOf(field(task.node, 'title')) ?? '' },
    {
      name: 'dependencies',
      label: 'Needs',
      kind: 'line',
      value: task.dependencies.map((dependency) => dependency.id).join(', '),
      help: 'Ids of earlier tasks, separated by commas.',
      optional: true,
    },
  ]
  return [
    {
      name: 'edit-task',
      target: id,
      title: `Change the plan of task ${id}`,
      effect: 'Changes its title and dependencies in the session and plan.json.',
      fields,
      source: task.document.source(task.node),
      answersNeed: false,
      plan: (values) => planEdit(run, task, index, values),
    },
  ]
}

function planEdit(run: SessionRun, task: TaskNode, index: number, values: Values): ActionPlan {
  const { id } = task
  const ids = requireEarlier(run, id, index, values.text('dependencies') ?? '')
  const planned = planOf(run.state)
  const entry =
    planned && planned.document !== task.document
      ? itemsOf(field(planned.document.root, 'tasks')).find((node) => textOf(field(node, 'id')) === id)
      : undefined
  const session = new SessionDraft(run)
  for (const { document, node } of [task, ...(planned && entry ? [{ document: planned.document, node: entry }] : [])]) {
    const title = textOf(field(node, 'title'))
    if (values.text('title') !== title) session.setIn(document, node, ['title'], values.text('title') ?? title ?? '')
    const own = itemsOf(field(node, ...fieldNames.dependencies)).map(textOf)
    if (own.length !== ids.length || own.some((name, at) => name !== ids[at]))
      session.setIn(document, node, fieldNames.dependencies, ids)
  }
  const { changes } = session.draft
  if (changes.length === 0)
    throw new AppError('INVALID', 'Nothing changed.', { hint: 'Change the title or the dependencies.' })
  const isInPlan = entry !== undefined || planned?.document === task.document
  return {
    summary: `Changed the plan of task ${id}`,
    changes,
    warnings: isInPlan ? [] : ['plan.json has no such task, so only the session changes.'],
  }
}

/** @throws AppError INVALID for an id that is not of an earlier task */
function requireEarlier(run: SessionRun, id: string, index: number, text: string): string[] {
  const ids = [...new Set(text.split(/[,\s]+/).filter((name) => name !== ''))]
  const earlier = new Set(run.tasks.slice(0, index).map((other) => other.id))
  const wrong = ids.find((name) => !earlier.has(name) || name === id)
  if (wrong === undefined) return ids
  const why = run.byId.has(wrong) ? 'it comes later in the list' : 'there is no such task'
  throw new AppError('INVALID', `Task ${id} cannot need ${quote(wrong)}: ${why}.`, {
    hint: 'Tasks run in list order, so a task can need only earlier ones.',
  })
}
