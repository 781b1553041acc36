import { isCommitName, isSameCommit } from '@shared/commitName'
import { turnRecords } from '@shared/turnRecord'
import type { Offer, Refusal } from '../../edit/offer'
import { attemptField, chosenAttempt, countText, needsRepository } from '../../edit/rollBack'
import { quote } from '../../finding'
import { field } from '../../text/located'
import { completeDependents } from '../dependents'
import type { TaskNode } from '../state'
import { SessionDraft } from './sessionDraft'
import { resume, revert, setBack } from './rollBackParts'
import { commitsOf, listTasks, statusOf, type SessionRun } from './sessionRun'

/** In any order: whether git can do it is tried out first. */
export function rollBack(run: SessionRun, task: TaskNode, index: number): (Offer | Refusal)[] {
  const { id } = task
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'roll-back', target: id, because, hint }]
  const list = field(task.node, 'commits')
  const commits = commitsOf(task)
  const isPending = statusOf(task) === 'pending'
  if (isPending && commits.length === 0)
    return refuse(`Task ${id} has no commits and is pending.`, 'There is nothing to roll back.')
  const odd = commits.find((commit) => !isCommitName(commit))
  if (odd !== undefined)
    return refuse(`${quote(odd)} of task ${id} is not a commit hash.`, 'Fix the list in an editor.')
  const dependents = completeDependents(
    run.tasks.map((other) => ({
      id: other.id,
      status: statusOf(other),
      needs: other.dependencies.map((dependency) => dependency.id),
    })),
    [id],
  )
  return [
    {
      name: 'roll-back',
      target: id,
      title: `Roll back task ${id}`,
      effect:
        commits.length === 0
          ? 'Sets the task to pending; it has no commits to revert.'
          : `Reverts ${countText(commits)} with git and sets the task to pending. ${needsRepository}`,
      fields: [],
      source: task.document.source(list ?? task.node),
      answersNeed: false,
      plan: () => {
        const draft = new SessionDraft(run)
        setBack(draft, [task])
        for (const other of run.tasks) if (dependents.includes(other.id)) draft.setTask(other, 'pending')
        if (commits.length > 0) draft.remember('reverted_commits', commits)
        if (run.cursor !== undefined && index < run.cursor) draft.setCursor(index)
        resume(run, draft, `Task ${id} was rolled back and is pending.`, [task])
        return {
          summary: `Rolled back task ${id}`,
          changes: draft.draft.changes,
          warnings:
            dependents.length === 0
              ? []
              : [
                  `${listTasks(dependents)} ${dependents.length === 1 ? 'needs it and is' : 'need it and are'} set to pending too; the commits stay.`,
                ],
          ...revert(run, commits),
        }
      },
    },
    ...rollBackAttempt(run, task),
  ]
}

function rollBackAttempt(run: SessionRun, task: TaskNode): Offer[] {
  const { id } = task
  const list = field(task.node, 'commits')
  const commits = commitsOf(task)
  const attempts = turnRecords(run.files.remembered)
    .filter((turn) => turn.task === id)
    .map(({ number, endedAt, commits: made }) => ({
      number,
      endedAt,
      commits: commits.filter((commit) => made.some((hash) => isSameCommit(hash, commit))),
    }))
    .filter((attempt) => attempt.commits.length > 0 && attempt.commits.every(isCommitName))
  if (!list || attempts.length < 2) return []
  return [
    {
      name: 'roll-back-attempt',
      target: id,
      title: `Roll back an attempt at task ${id}`,
      effect: `Reverts the commits of one attempt with git and keeps those of the others. ${needsRepository}`,
      fields: [attemptField(attempts)],
      source: task.document.source(list),
      answersNeed: false,
      plan: (values) => {
        const chosen = chosenAttempt(attempts, values.text('attempt'))
        const draft = new SessionDraft(run)
        draft.set(
          task.document,
          list,
          commits.filter((commit) => !chosen.includes(commit)),
        )
        draft.remember('reverted_commits', chosen)
        return {
          summary: `Rolled back an attempt at task ${id}`,
          changes: draft.draft.changes,
          warnings: [`Task ${id} stays ${statusOf(task) ?? 'as it is'}.`],
          ...revert(run, chosen),
        }
      },
    },
  ]
}
