import { dirname, join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { EditRequest } from '@shared/contract/edits'
import { MERGE_LANE } from '@shared/laneWorktree'
import { MERGE_WORKTREE, type Worktree } from '@shared/worktree'
import { isRepository, repositoryAround } from '../files/repositoryAt'
import type { RunPlace } from './loop'

interface WorkingRun extends RunPlace {
  readonly worktree: Worktree | undefined
}

/** @throws AppError CONFLICT where a loop of this run, or one in a tree that the edit changes, runs */
export function requireFreeTrees(
  edit: WorkingRun & { readonly run: string; readonly request: EditRequest },
  loops: readonly (WorkingRun & { readonly run: string | undefined; readonly place: string })[],
): void {
  const trees = treesOf(edit)
  const working = loops.find((loop) => loop.run === edit.run || trees.includes(loop.worktree?.root ?? treeOf(loop)))
  if (working)
    throw new AppError(
      'CONFLICT',
      `Nothing was changed: ${working.place || 'a run'} is running, and its agents work on the same files.`,
      { hint: 'Pause or stop it first.' },
    )
}

/** A run with a worktree works there, except for merges and what was done before it had one. */
function treesOf({ worktree, request, ...place }: Parameters<typeof requireFreeTrees>[0]): string[] {
  if (!worktree) return [treeOf(place)]
  const isThereOnly = request.kind === 'action' && request.name !== MERGE_WORKTREE && request.name !== MERGE_LANE
  return [worktree.root, ...(isThereOnly ? [] : [treeOf(place)])]
}

/** The folder that one git command changes; the project's own where there is no repository. */
function treeOf({ root, folder }: RunPlace): string {
  const top = treeAround(join(root, folder))
  return isRepository(top) ? top : root
}

export function repositoryOf({ root, folder }: RunPlace): string {
  for (let at = join(root, folder); at.length > root.length; at = dirname(at)) if (isRepository(at)) return at
  return root
}

export const treeAround = (folder: string): string => repositoryAround(folder) ?? folder
