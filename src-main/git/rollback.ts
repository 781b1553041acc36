/**
 * Nothing is lost in a rollback: the former state stays under a backup ref, and a rollback is done completely or not at
 * all.
 */
import { AppError } from '@shared/contract/errors'
import type { GitStep } from '@shared/gitStep'
import { git } from './git'
import { merge, planMerge, planThrowAway, throwAway } from './merge'
import { checkedOutBranch } from './repository'
import { planReset, planRestore, reset, restore } from './reset'
import { takeOver, withReverted } from './revert'
import { refuseWith, type OnReady, type RollbackPlan, type RollbackResult } from './rollbackPlan'
import { prepare } from './rollbackRepository'
import { takeChanges, withChanges } from './uncommitted'
import type { TrustedFolder } from './trustedFolder'
import { ensureWorktree, withinWorktree } from './worktree'

export type { RollbackPlan, RollbackResult } from './rollbackPlan'

/**
 * A revert is tried in a work tree in a temporary folder, which is removed again.
 * @throws AppError where there is no repository to roll back in
 */
export async function planRollback(folder: TrustedFolder, step: GitStep, signal?: AbortSignal): Promise<RollbackPlan> {
  const ready = await prepare(await placeOf(folder, step, signal), signal)
  if (step.kind === 'merge') return (await planMerge(ready, step, signal)).plan
  if (step.kind === 'throw-away') return planThrowAway(ready, step, signal)
  if (step.kind === 'revert') return withReverted(ready, step, async ({ plan }) => plan, signal)
  if (step.kind === 'commit' || step.kind === 'stash') return withChanges(ready, step, async ({ plan }) => plan, signal)
  return (step.kind === 'restore' ? await planRestore(ready, step, signal) : await planReset(ready, step, signal)).plan
}

/**
 * A name such as `HEAD~1` becomes the present commit, and a merge's target branch is fixed, so that what was agreed on
 * stays the same.
 */
export async function pinStep(folder: TrustedFolder, step: GitStep, signal?: AbortSignal): Promise<GitStep> {
  if (step.kind === 'merge')
    return { ...step, into: await checkedOutBranch(await placeOf(folder, step, signal), signal) }
  if (step.kind !== 'reset' || !/^HEAD(~\d{1,4})?$/.test(step.commit)) return step
  const at = await placeOf(folder, step, signal)
  const { code, text } = await git(at, ['rev-parse', '--verify', '--quiet', `${step.commit}^{commit}`], { signal })
  if (code !== 0) throw new AppError('NOT_FOUND', `There is no commit ${step.commit}: the history is shorter.`)
  return { ...step, commit: text.trim() }
}

/**
 * Makes a backup ref first. Calling it again after a crash completes it.
 * @param onReady called before branch and work tree are touched
 * @throws AppError CONFLICT with the first obstacle, or when the repository changed meanwhile: nothing is changed then
 */
export async function rollBack(
  folder: TrustedFolder,
  step: GitStep,
  signal?: AbortSignal,
  onReady: OnReady = () => undefined,
): Promise<RollbackResult> {
  const ready = await prepare(await placeOf(folder, step, signal), signal)
  if (step.kind === 'merge') return merge(ready, step, await planMerge(ready, step, signal), onReady)
  if (step.kind === 'throw-away') return throwAway(ready, step, onReady)
  if (step.kind === 'revert')
    return withReverted(ready, step, (reverted) => takeOver(ready, reverted, 'rollback', onReady), signal)
  if (step.kind === 'commit' || step.kind === 'stash')
    return withChanges(ready, step, (changes) => takeChanges(ready, step, changes, onReady), signal)
  const planned =
    step.kind === 'restore' ? await planRestore(ready, step, signal) : await planReset(ready, step, signal)
  refuseWith(planned.plan)
  return step.kind === 'restore' ? restore(ready, planned, onReady) : reset(ready, step, planned, onReady)
}

async function placeOf(folder: TrustedFolder, { within }: GitStep, signal?: AbortSignal): Promise<TrustedFolder> {
  if (!within) return folder
  await ensureWorktree(folder, within, signal)
  return withinWorktree(folder, within)
}
