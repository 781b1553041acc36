import { AppError } from '@shared/contract/errors'
import { planRollback, rollBack, type RollbackPlan, type RollbackResult } from '../../git/rollback'
import { completeDependents } from '../../formats/metashell/dependents'
import type { TrustedFolder } from '../../git/trustedFolder'
import type { AnnounceWrite } from '../loop'
import type { Change } from './keyPath'
import { SessionFiles } from './sessionFiles'
import type { Snapshot } from './snapshot'

/**
 * Reverts the commits of a task, the newest first, and sets it back to pending: git first, so that a session never says less than
 * the history does. Where a crash came between the two, to do it again does what is left.
 * @param isTrial only says what it would do
 * @throws AppError NOT_FOUND without such a task, CONFLICT when nothing can be reverted now
 */
export async function rollBackTask(
  at: TrustedFolder,
  folder: string,
  taskId: string,
  isTrial: boolean,
  signal: AbortSignal,
  announceWrite?: AnnounceWrite,
): Promise<{ plan: RollbackPlan; result: RollbackResult | null }> {
  const files = new SessionFiles(
    { root: at.root, folder, ...(announceWrite ? { announceWrite } : {}) },
    () => undefined,
  )
  const commits = commitsOf((await files.read()).snapshot, taskId)
  const step = { kind: 'revert', commits } as const
  const plan = await planRollback(at, step, signal)
  if (isTrial || plan.obstacles.length > 0) return { plan, result: null }
  const result = await rollBack(at, step, signal)
  await files.update(({ variables, plan, status }) => {
    const tasks = plan?.tasks ?? []
    const dependents = completeDependents(
      tasks.map((task) => ({ ...task, needs: task.dependencies })),
      [taskId],
    )
    const index = tasks.findIndex(({ id }) => id === taskId)
    const before = variables.get('reverted_commits')
    const reverted = [
      ...(Array.isArray(before) ? before.filter((commit) => typeof commit === 'string') : []),
      ...commits,
    ]
    return {
      changes: [
        [`tasks.${taskId}.status`, 'pending'],
        [`tasks.${taskId}.commits`, []],
        ...dependents.map((id): Change => [`tasks.${id}.status`, 'pending']),
        ['variables.reverted_commits', reverted],
        ...(plan && index >= 0 && index < plan.cursor ? [['plan.currentTaskIdx', index] satisfies Change] : []),
        ...(status === 'verifying' ? [['status', 'executing'] satisfies Change] : []),
      ],
    }
  })
  return { plan, result }
}

function commitsOf({ plan }: Snapshot, taskId: string): readonly string[] {
  const task = plan?.tasks.find(({ id }) => id === taskId)
  if (!task)
    throw new AppError('NOT_FOUND', `No task ${taskId} in the session.`, {
      hint: 'Run project inspect to list its tasks.',
    })
  if (task.commits.length === 0)
    throw new AppError('CONFLICT', `Task ${taskId} has no commits to revert.`, {
      hint: `To set it to pending: project act . roll-back ${taskId}`,
    })
  return task.commits
}
