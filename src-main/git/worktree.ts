import { existsSync } from 'node:fs'
import { lstat, mkdir, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { WORKTREE_BRANCHES, type Worktree } from '@shared/worktree'
import { git, gitOrFail } from './git'
import { WORK_TREE_LIMIT_MS } from './gitProcess'
import { checkedOutBranch, findRepository } from './repository'
import { TrustedFolder } from './trustedFolder'

/** @throws AppError FORBIDDEN where the repository begins above the project, and is no longer trusted */
export function withinWorktree(at: TrustedFolder, worktree: Worktree): TrustedFolder {
  requireTop(at, worktree)
  return inWorktree(worktree, join(worktree.root, relative(at.root, at.path)))
}

function requireTop(at: TrustedFolder, worktree: Worktree): void {
  const top = join(at.root, worktree.top)
  if (!at.holds(top)) throw aboveProject(top)
}

const inWorktree = (worktree: Worktree, path: string): TrustedFolder =>
  new TrustedFolder(worktree.root, path, isAbove(worktree.top) ? topOf(worktree) : worktree.root)

const isAbove = (top: string): boolean => /^\.\.(?:[/\\]|$)/.test(top)

const aboveProject = (top: string): AppError =>
  new AppError('FORBIDDEN', `The git repository begins at ${top}, above the project, and that folder is not trusted.`, {
    hint: 'Trust it in the projects view, with --trust-repository, or with bridgedeck project trust.',
  })

export const topOf = ({ root, top }: Pick<Worktree, 'root' | 'top'>): string => join(root, top)

const keptRef = (branch: string): string => `refs/bridgedeck/kept/${branch}`

/**
 * @param root stands for the project's folder, or for the whole repository where that begins above
 * @throws AppError UNSUPPORTED where there can be none, FORBIDDEN where the repository begins above what is trusted
 */
export async function planWorktree(
  at: TrustedFolder,
  { root, name }: { readonly root: string; readonly name: string },
  signal?: AbortSignal,
): Promise<Worktree> {
  const refuse = (why: string, hint: string) => new AppError('UNSUPPORTED', `Cannot make a worktree: ${why}`, { hint })
  const repository = await findRepository(at, signal)
  if (!repository) throw refuse('the folder is in no git repository.', 'Set up git first, or run without a worktree.')
  const top = relative(at.root, repository.top)
  if (!at.holds(repository.top)) throw aboveProject(repository.top)
  if (repository.head === null) throw refuse('the repository has no commits yet.', 'Commit something first.')
  const start = isAbove(top) ? join(root, relative(repository.top, at.root)) : root
  return {
    root: start,
    top: top.split(sep).join('/'),
    branch: WORKTREE_BRANCHES + name,
    base: repository.head,
    into: await checkedOutBranch(at, signal),
    since: Date.now(),
  }
}

/**
 * Can be repeated after a crash or a removal by hand: the branch has what was committed.
 * @throws AppError as {@link withinWorktree}
 * @returns whether it was there already
 */
export async function ensureWorktree(at: TrustedFolder, worktree: Worktree, signal?: AbortSignal): Promise<boolean> {
  requireTop(at, worktree)
  const top = topOf(worktree)
  const gitFolder = await checkedOut(worktree, signal)
  if (gitFolder !== null && existsSync(join(gitFolder, 'index'))) return true
  if (gitFolder === null) {
    if (await lstat(top).catch(() => undefined))
      throw new AppError('CONFLICT', `${top} is no worktree any more.`, {
        hint: 'Move what you need out of this folder and remove it, then start the run again.',
      })
    await mkdir(dirname(top), { recursive: true, mode: 0o700 })
    await git(at, ['worktree', 'remove', '--force', top], { signal })
    const start = await tipOf(at, worktree, signal)
    const isThere = await hasBranch(at, worktree, signal)
    // Checked out in a second step, as the settings that apply there are known only then.
    const made = isThere ? [top, worktree.branch] : ['-b', worktree.branch, top, start]
    await gitOrFail(at, ['worktree', 'add', '--quiet', '--no-checkout', ...made], { signal })
  }
  const there = inWorktree(worktree, top)
  await gitOrFail(there, ['reset', '--quiet', '--hard'], { limitMs: WORK_TREE_LIMIT_MS, signal })
  // A project's folder may have nothing in the last commit.
  await mkdir(worktree.root, { recursive: true, mode: 0o700 })
  return false
}

async function checkedOut(worktree: Worktree, signal?: AbortSignal): Promise<string | null> {
  const top = topOf(worktree)
  if (!existsSync(join(top, '.git'))) return null
  const repository = await findRepository(inWorktree(worktree, top), signal)
  return repository && repository.top === (await realpath(top)) ? repository.gitFolder : null
}

export async function worktreeFolder(worktree: Worktree, signal?: AbortSignal): Promise<TrustedFolder | null> {
  return (await checkedOut(worktree, signal)) === null ? null : inWorktree(worktree, topOf(worktree))
}

const hasBranch = async (at: TrustedFolder, { branch }: Worktree, signal?: AbortSignal): Promise<boolean> =>
  (await git(at, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`], { signal })).code === 0

export async function tipOf(at: TrustedFolder, worktree: Worktree, signal?: AbortSignal): Promise<string> {
  for (const ref of [`refs/heads/${worktree.branch}`, keptRef(worktree.branch)]) {
    const { code, text } = await git(at, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], { signal })
    if (code === 0) return text.trim()
  }
  return worktree.base
}

/**
 * A ref keeps the branch's commit. Cannot be aborted.
 * @returns the ref
 */
export async function removeWorktree(at: TrustedFolder, worktree: Worktree): Promise<string> {
  const { branch } = worktree
  const ref = keptRef(branch)
  const tip = await tipOf(at, worktree)
  await gitOrFail(at, ['update-ref', '--create-reflog', '-m', 'bridgedeck worktree', ref, tip])
  const removed = await git(at, ['worktree', 'remove', '--force', topOf(worktree)], { limitMs: WORK_TREE_LIMIT_MS })
  if (removed.code !== 0 && (await worktreeFolder(worktree)) !== null)
    throw new AppError('BUSY', `The worktree ${topOf(worktree)} cannot be removed: ${removed.message.trim()}`, {
      hint: 'Close what is open in it, then try again.',
    })
  if (await hasBranch(at, worktree)) await gitOrFail(at, ['branch', '--quiet', '-D', branch])
  return ref
}

export interface ListedWorktree {
  readonly path: string
  readonly branch: string
  readonly head: string
  readonly isMissing: boolean
}

export async function listWorktrees(at: TrustedFolder, signal?: AbortSignal): Promise<ListedWorktree[]> {
  const { text } = await gitOrFail(at, ['worktree', 'list', '--porcelain', '-z'], { signal })
  return text.split('\0\0').flatMap((entry) => {
    const lines = entry.split('\0')
    const value = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1)
    const [path, head, ref = ''] = [value('worktree'), value('HEAD'), value('branch')]
    const branch = ref.replace('refs/heads/', '')
    if (path === undefined || head === undefined || !branch.startsWith(WORKTREE_BRANCHES)) return []
    return [{ path, branch, head, isMissing: !existsSync(path) }]
  })
}
