import { join } from 'node:path'
import type { LoopSystem } from '@shared/contract/loops'
import { runWorktree, WORKTREE, WORKTREE_DONE, type Worktree } from '@shared/worktree'
import { readWorkTree } from '../git/repository'
import type { TrustedFolder } from '../git/trustedFolder'
import { ensureWorktree, planWorktree } from '../git/worktree'
import type { LoopWork, Remembered } from './loop'

interface OpenedWorktree {
  readonly at: TrustedFolder
  readonly remembered: Remembered
  readonly own: string
  readonly system: LoopSystem
  readonly isWanted: boolean
  readonly signal: AbortSignal
  readonly log: LoopWork['log']
}

/**
 * Remembered before it is made, so that a killed host finds it again; checked out again where it is gone.
 * @throws AppError where the repository can have no worktree
 */
export async function openWorktree(opened: OpenedWorktree): Promise<Worktree | undefined> {
  const { at, remembered, own, system, isWanted, signal, log } = opened
  const known = runWorktree(remembered)
  if (!known && !isWanted) return undefined
  const name = `${system}-${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}`
  const worktree = known ?? (await planWorktree(at, { root: join(own, 'worktree'), name }, signal))
  remembered.set({ [WORKTREE]: JSON.stringify(worktree), [WORKTREE_DONE]: null })
  const wasThere = await ensureWorktree(at, worktree, signal)
  if (wasThere) log('info', `Working on ${worktree.branch}.`)
  else if (known)
    log('warn', `The worktree was gone; ${worktree.branch} is checked out again. What was not committed is lost.`)
  else {
    log('info', `Working on ${worktree.branch}, in ${worktree.root}.`)
    const { changed } = await readWorkTree(at, signal)
    if (changed.length > 0)
      log('warn', `The worktree starts from the last commit: changes in ${changed.length} files are not in it.`)
  }
  return worktree
}
