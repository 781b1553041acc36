/** The worktrees that Bridgedeck made in a project's repository, also those that no run knows any more. */
import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import type { Output } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { runWorktree, type Worktree } from '@shared/worktree'
import { rollBack } from '../git/rollback'
import type { TrustedFolder } from '../git/trustedFolder'
import { listWorktrees } from '../git/worktree'
import type { SidecarStore } from '../storage/sidecar'

interface ProjectWorktrees {
  readonly at: TrustedFolder
  readonly project: number
  readonly sidecar: SidecarStore
  /** Where each run has its own folder. */
  readonly folder: string
}

export async function projectWorktrees(
  { at, project, sidecar, folder }: ProjectWorktrees,
  signal: AbortSignal,
): Promise<Output<'loops.worktrees'>['worktrees']> {
  const own = await realpath(folder).catch(() => folder)
  const runs = [...sidecar.ofProject(project)]
  return (await listWorktrees(at, signal))
    .filter(({ path }) => path.startsWith(own + sep))
    .slice(0, 200)
    .map((worktree) => ({
      ...worktree,
      run: runs.find(([, remembered]) => runWorktree(remembered)?.branch === worktree.branch)?.[0] ?? null,
    }))
}

/** Refs keep where its branch was, and what was not committed. @throws AppError CONFLICT where a run works in it */
export async function removeLeft(
  worktrees: ProjectWorktrees,
  branch: string,
  signal: AbortSignal,
): Promise<Output<'loops.removeWorktree'>> {
  const found = (await projectWorktrees(worktrees, signal)).find((worktree) => worktree.branch === branch)
  if (!found) throw new AppError('NOT_FOUND', `There is no worktree on ${branch}.`, { hint: 'List them first.' })
  if (found.run !== null)
    throw new AppError('CONFLICT', `The run ${found.run} works on ${branch}.`, {
      hint: 'Merge it or throw it away with an action of the run.',
    })
  const worktree: Worktree = { root: found.path, top: '', branch, into: null, base: found.head, since: 0 }
  const { backup, changesBackup } = await rollBack(worktrees.at, { kind: 'throw-away', worktree }, signal)
  return { backup, changesBackup }
}
