import type { Offer, Refusal } from '../../edit/offer'
import type { TaskNode } from '../state'
import { SessionDraft } from './sessionDraft'
import { answering, commitsOf, openDependency, listTasks, statusOf, taskSource, type SessionRun } from './sessionRun'

export function retry(run: SessionRun, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const failed = statusOf(task) === 'failed'
  const halted =
    run.status === 'halted' &&
    run.cursor === index &&
    statusOf(task) === 'pending' &&
    run.view.state.value === 'waiting' &&
    run.need?.kind !== 'question'
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'retry', target: id, because, hint }]
  if (!failed && !halted)
    return refuse(
      `Task ${id} did not fail (status: ${statusOf(task) ?? 'unknown'}).`,
      'Only a failed task, or the one that the session halted at, can be retried.',
    )
  const open = openDependency(run, task)
  if (open !== undefined) return refuse(`Task ${id} needs ${open}, which is not complete.`, `Retry ${open} first.`)
  const first = run.tasks.find((other) => statusOf(other) === 'failed')
  return [
    {
      name: 'retry',
      target: id,
      title: `Retry task ${id}`,
      effect: 'Sets the task to pending and continues the session with it.',
      fields: [],
      source: halted && run.need ? run.need.source : taskSource(task),
      answersNeed: halted || (answering(run, 'failed') && first === task),
      plan: () => {
        const draft = new SessionDraft(run)
        if (failed) draft.setTask(task, 'pending')
        if (run.cursor !== index) draft.setCursor(index)
        draft.setStatus('executing')
        const others = run.tasks
          .filter((other) => other !== task && statusOf(other) === 'failed')
          .map((other) => other.id)
        const again = run.tasks
          .slice(index + 1)
          .filter((other) => statusOf(other) === 'complete')
          .map((other) => other.id)
        return {
          summary: `Retried task ${id}`,
          changes: draft.draft.changes,
          warnings: [
            ...(others.length === 0
              ? []
              : [`${listTasks(others)} failed too and ${others.length === 1 ? 'is' : 'are'} not retried.`]),
            ...(again.length === 0
              ? []
              : [`${listTasks(again)} after it ${again.length === 1 ? 'is' : 'are'} already complete.`]),
            ...commitsWarning(task),
          ],
        }
      },
    },
  ]
}

const commitsWarning = (task: TaskNode): string[] =>
  commitsOf(task).length === 0 ? [] : ['Its commits stay. To undo them, roll back the task first.']
