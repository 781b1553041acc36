import { AppError } from '@shared/contract/errors'
import type { Worktree } from '@shared/worktree'
import { planRollback, rollBack, type RollbackPlan, type RollbackResult } from '../../git/rollback'
import type { TrustedFolder } from '../../git/trustedFolder'
import type { AnnounceWrite } from '../loop'
import { SessionFiles } from './sessionFiles'

/**
 * Git comes first, so that a session never says less than the history does. After a crash between the two, calling it
 * again does the rest.
 * @param isTrial only reports
 * @throws AppError NOT_FOUND without such a task, CONFLICT when nothing can be reverted now
 */
export async function rollBackTask(
  at: TrustedFolder,
  folder: string,
  task: string,
  isTrial: boolean,
  signal: AbortSignal,
  worktree: Worktree | undefined,
  announceWrite?: AnnounceWrite,
): Promise<{ plan: RollbackPlan; result: RollbackResult | null }> {
  const files = new SessionFiles(
    { root: at.root, folder, ...(announceWrite ? { announceWrite } : {}) },
    () => undefined,
  )
  const action = { name: 'roll-back', target: task }
  const { git: step } = await files.planOf(action)
  if (!step)
    throw new AppError('CONFLICT', `Task ${task} has no commits to revert.`, {
      hint: `To set it to pending: project act . --action roll-back --target ${task} --yes`,
    })
  const git = { ...step, within: worktree }
  const plan = await planRollback(at, git, signal)
  if (isTrial || plan.obstacles.length > 0) return { plan, result: null }
  const result = await rollBack(at, git, signal)
  await files.carryOut(action)
  return { plan, result }
}
