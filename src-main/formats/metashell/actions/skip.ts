import type { Offer, Refusal } from '../../edit/offer'
import type { TaskNode } from '../state'
import { SessionDraft } from './sessionDraft'
import { answering, openDependency, listTasks, statusOf, taskSource, type SessionRun } from './sessionRun'

/** The format has no status for a skipped task: it is set to complete, and a variable notes it. */
export function skip(run: SessionRun, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'skip', target: id, because, hint }]
  if (statusOf(task) !== 'pending' && statusOf(task) !== 'failed')
    return refuse(
      `Task ${id} cannot be skipped (status: ${statusOf(task) ?? 'unknown'}).`,
      'Only pending or failed tasks can be skipped.',
    )
  const open = openDependency(run, task)
  if (open !== undefined)
    return refuse(`Task ${id} needs ${open}, which is not complete.`, `Skip or finish ${open} first.`)
  const resumes = run.status === 'halted' && run.cursor === index && run.view.state.value !== 'limit'
  return [
    {
      name: 'skip',
      target: id,
      title: `Skip task ${id}`,
      effect: 'Sets the task to complete and notes it in variables.skipped_tasks, as the format has no skipped status.',
      fields: [],
      source: taskSource(task),
      answersNeed: answering(run, 'failed') && run.tasks.find((other) => statusOf(other) === 'failed') === task,
      plan: () => {
        const draft = new SessionDraft(run)
        draft.setTask(task, 'complete')
        draft.remember('skipped_tasks', [id])
        if (run.cursor === index) draft.setCursor(index + 1)
        if (resumes) draft.setStatus('executing')
        const needing = run.tasks
          .filter(({ dependencies }) => dependencies.some((dependency) => dependency.id === id))
          .map((other) => other.id)
        return {
          summary: `Skipped task ${id}`,
          changes: draft.draft.changes,
          warnings:
            needing.length === 0
              ? []
              : [`${listTasks(needing)} ${needing.length === 1 ? 'needs' : 'need'} its results.`],
        }
      },
    },
  ]
}
