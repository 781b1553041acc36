import { AppError } from '@shared/contract/errors'
import type { OfferedField } from '@shared/contract/edits'
import type { Offer, Refusal } from '../../edit/offer'
import { quote } from '../../finding'
import { field, itemsOf, textOf } from '../../text/located'
import { fieldNames, planOf, type TaskNode } from '../state'
import { SessionDraft } from './sessionDraft'
import { statusOf, type SessionRun } from './sessionRun'

/** Title and dependencies of a task that was not started, in the session and in plan.json, which have to agree. */
export function editTask(run: SessionRun, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'edit-task', target: id, because, hint }]
  if (statusOf(task) !== 'pending' && task.status)
    return refuse(`Task ${id} is ${statusOf(task) ?? 'of unknown status'}.`, 'Only open tasks can be changed.')
  if (run.status === 'executing' && run.cursor === index)
    return refuse(`Task ${id} is being worked on.`, 'Halt the session first.')
  const title = textOf(field(task.node, 'title')) ?? ''
  const dependencies = task.dependencies.map((dependency) => dependency.id)
  const fields: OfferedField[] = [
    { name: 'title', label: 'Title', kind: 'line', value: title },
    {
      name: 'dependencies',
      label: 'Needs',
      kind: 'line',
      value: dependencies.join(', '),
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
      plan: (values) => {
        const ids = [...new Set((values.text('dependencies') ?? '').split(/[,\s]+/).filter((name) => name !== ''))]
        const before = new Set(run.tasks.slice(0, index).map((other) => other.id))
        const unknown = ids.find((name) => !before.has(name) || name === id)
        if (unknown !== undefined) {
          throw new AppError(
            'INVALID',
            `Task ${id} cannot need ${quote(unknown)}: ${run.byId.has(unknown) ? 'it comes later in the list' : 'there is no such task'}.`,
            {
              hint: 'Tasks run in list order, so a task can need only earlier ones.',
            },
          )
        }
        const draft = new SessionDraft(run)
        const planned = planOf(run.state)
        const entry =
          planned && planned.document !== task.document
            ? itemsOf(field(planned.document.root, 'tasks')).find((node) => textOf(field(node, 'id')) === id)
            : undefined
        for (const { document, node } of [
          task,
          ...(planned && entry ? [{ document: planned.document, node: entry }] : []),
        ]) {
          if (values.text('title') !== textOf(field(node, 'title')))
            draft.setIn(document, node, ['title'], values.text('title') ?? title)
          const own = itemsOf(field(node, ...fieldNames.dependencies)).map(textOf)
          if (own.length !== ids.length || own.some((name, at) => name !== ids[at]))
            draft.setIn(document, node, fieldNames.dependencies, ids)
        }
        if (draft.draft.changes.length === 0)
          throw new AppError('INVALID', 'Nothing changed.', {
            hint: 'Change the title or the dependencies.',
          })
        return {
          summary: `Changed the plan of task ${id}`,
          changes: draft.draft.changes,
          warnings:
            entry || planned?.document === task.document
              ? []
              : ['plan.json has no such task, so only the session changes.'],
        }
      },
    },
  ]
}
