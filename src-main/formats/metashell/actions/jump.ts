import type { Offer, Refusal } from '../../edit/offer'
import type { TaskNode } from '../state'
import { SessionDraft } from './sessionDraft'
import { openDependency, listTasks, statusOf, taskSource, type SessionRun } from './sessionRun'

export function jump(run: SessionRun, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'jump', target: id, because, hint }]
  if (run.cursor === index) return refuse(`The session is already at task ${id}.`, 'Choose another task.')
  const open = openDependency(run, task)
  if (open !== undefined) return refuse(`Task ${id} needs ${open}, which is not complete.`, `Go to ${open} first.`)
  return [
    {
      name: 'jump',
      target: id,
      title: `Go to task ${id}`,
      effect: 'Runs this task next, then those after it in list order.',
      fields: [],
      source: taskSource(task),
      answersNeed: false,
      plan: () => {
        const draft = new SessionDraft(run)
        draft.setCursor(index)
        const left = run.tasks
          .slice(0, index)
          .filter((other) => statusOf(other) !== 'complete')
          .map((other) => other.id)
        return {
          summary: `Went to task ${id}`,
          changes: draft.draft.changes,
          warnings: [
            ...(left.length === 0
              ? []
              : [`${listTasks(left)} before it ${left.length === 1 ? 'does' : 'do'} not run.`]),
            ...(statusOf(task) === 'complete' ? ['It is already complete and will run again.'] : []),
            ...(run.status === 'halted' ? ['The session stays halted until it is resumed.'] : []),
          ],
        }
      },
    },
  ]
}
