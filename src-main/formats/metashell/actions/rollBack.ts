import type { Offer, Refusal } from '../../edit/offer'
import { quote } from '../../finding'
import { field } from '../../text/located'
import type { TaskNode } from '../state'
import { SessionDraft } from './sessionDraft'
import { commitsOf, statusOf, type SessionRun } from './sessionRun'

export function rollBack(run: SessionRun, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'roll-back', target: id, because, hint }]
  const list = field(task.node, 'commits')
  const commits = commitsOf(task)
  if (!list || commits.length === 0) return refuse(`Task ${id} has no commits.`, 'Nothing to revert.')
  const odd = commits.find((commit) => !/^[0-9a-f]{4,64}$/i.test(commit))
  if (odd !== undefined)
    return refuse(`${quote(odd)} of task ${id} is not a commit hash.`, 'Fix the list in an editor.')
  const dependent = run.tasks.find(
    (other) => statusOf(other) === 'complete' && other.dependencies.some((dependency) => dependency.id === id),
  )
  if (dependent) return refuse(`Task ${dependent.id} is complete and needs ${id}.`, `Roll ${dependent.id} back first.`)
  return [
    {
      name: 'roll-back',
      target: id,
      title: `Roll back task ${id}`,
      effect: `Reverts ${commits.length === 1 ? 'its commit' : `its ${commits.length} commits, the newest first,`} with git and sets the task to pending. Needs a trusted git repository.`,
      fields: [],
      source: task.document.source(list),
      answersNeed: false,
      plan: () => {
        const draft = new SessionDraft(run)
        draft.setTask(task, 'pending')
        draft.set(task.document, list, [])
        draft.remember('reverted_commits', commits)
        return {
          summary: `Rolled back task ${id}`,
          changes: draft.draft.changes,
          warnings:
            run.cursor !== undefined && index < run.cursor
              ? [`The session is past this task; go to task ${id} to run it again.`]
              : [],
          git: { kind: 'revert', commits },
        }
      },
    },
  ]
}
