/** Reverts commits in a work tree of its own; the branch then goes on to them all at once. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backupName, bridgedeck, keep } from './backup'
import { describeCommits, type CommitInfo } from './commits'
import { differenceOf } from './difference'
import { failure, git, gitOrFail } from './git'
import { WORK_TREE_LIMIT_MS } from './gitProcess'
import { newestFirst, notInHead, readWorkTree } from './repository'
import {
  MAX_COMMITS,
  changedConflict,
  filterObstacle,
  named,
  emptyPlan,
  refuseWith,
  short,
  inTheWayObstacles,
  uncommittedObstacles,
  type OnReady,
  type RollbackPlan,
  type RollbackResult,
} from './rollbackPlan'
import { filteredFiles, resolveCommits } from './rollbackQueries'
import type { Ready } from './rollbackRepository'
import { TrustedFolder } from './trustedFolder'

export interface Reverted {
  readonly plan: RollbackPlan
  /** With the reverts on it; where HEAD is when nothing was to be reverted. */
  readonly head: string
}

/** Reverts in a work tree of its own, and has the result used while that keeps it. */
export async function withReverted<Result>(
  { at, head }: Ready,
  names: readonly string[],
  use: (reverted: Reverted) => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { commits, obstacles } = await commitsToRevert(at, names, signal)
  const refused = (more: readonly string[] = []): Reverted => ({
    plan: { ...emptyPlan, commits, obstacles: [...obstacles, ...more] },
    head,
  })
  if (obstacles.length > 0) return use(refused())
  const filtered = await filteredFiles(at, await touchedBy(at, commits, signal), signal)
  if (filtered.length > 0) return use(refused([filterObstacle(filtered)]))
  const { changed, untracked } = await readWorkTree(at, signal)
  const dirty = uncommittedObstacles(changed)
  return inScratch(at, head, signal, async (scratch) => {
    const undone: string[] = []
    for (const { commit, subject } of commits) {
      const outcome = await revertOne(scratch, commit, head, signal)
      if (outcome === 'nothing') undone.push(commit)
      else if (outcome !== 'done')
        return use(
          refused([
            ...dirty,
            `Reverting ${short(commit)} “${subject}” conflicts with later changes in ${named(outcome)}.`,
          ]),
        )
    }
    const { text } = await gitOrFail(scratch, ['rev-parse', 'HEAD'], { signal })
    const shown = await differenceOf(scratch, head, 'HEAD', signal)
    const inTheWay = untracked.filter((path) => shown.files.some((file) => file.path === path))
    return use({
      plan: { ...emptyPlan, commits, undone, ...shown, obstacles: [...dirty, ...inTheWayObstacles(inTheWay)] },
      head: text.trim(),
    })
  })
}

/** The commits, the newest first, or why they cannot be reverted. */
async function commitsToRevert(
  at: TrustedFolder,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{ commits: readonly CommitInfo[]; obstacles: string[] }> {
  if (names.length === 0) return { commits: [], obstacles: ['There are no commits to revert.'] }
  if (names.length > MAX_COMMITS)
    return {
      commits: [],
      obstacles: [`${names.length} commits are too many to revert at once; at most ${MAX_COMMITS}.`],
    }
  const { found, obstacles } = await resolveCommits(at, names, signal)
  const missing = await notInHead(at, found, signal)
  for (const commit of missing) obstacles.push(`Commit ${short(commit)} is not in the history of the current branch.`)
  const commits = await describeCommits(at, await newestFirst(at, found, signal), signal)
  for (const { commit, parents } of commits)
    if (parents.length > 1)
      obstacles.push(`Commit ${short(commit)} is a merge. Revert it with git revert -m, which names the side to keep.`)
  return { commits, obstacles }
}

const touchedBy = async (
  at: TrustedFolder,
  commits: readonly CommitInfo[],
  signal: AbortSignal | undefined,
): Promise<Uint8Array> =>
  (
    await gitOrFail(at, ['diff-tree', '--stdin', '-r', '--root', '-z', '--name-only', '--no-commit-id'], {
      input: commits.map(({ commit }) => `${commit}\n`).join(''),
      signal,
    })
  ).bytes

/**
 * @param head of the branch, without the reverts made here
 * @returns the files in conflict when there are any; `nothing` when the commit's changes are not there any more
 */
async function revertOne(
  scratch: TrustedFolder,
  commit: string,
  head: string,
  signal: AbortSignal | undefined,
): Promise<'done' | 'nothing' | string[]> {
  const args = ['revert', '--no-edit', commit]
  const answer = await git(scratch, args, { environment: await identity(scratch), limitMs: WORK_TREE_LIMIT_MS, signal })
  if (answer.code === 0) return 'done'
  const { text } = await gitOrFail(scratch, ['diff', '--name-only', '-z', '--diff-filter=U'], { signal })
  const conflicts = [...new Set(text.split('\0').filter(Boolean))]
  if (conflicts.length > 0) {
    if (!(await isReverted(scratch, commit, head, signal))) return conflicts
    await gitOrFail(scratch, ['revert', '--abort'], { limitMs: WORK_TREE_LIMIT_MS, signal })
    return 'nothing'
  }
  const { changed } = await readWorkTree(scratch, signal)
  if (changed.length > 0) throw failure(args, answer)
  await git(scratch, ['revert', '--quit'], { signal })
  return 'nothing'
}

/** Whether a commit since says what git itself writes into a revert, and none says it of that one. */
async function isReverted(
  at: TrustedFolder,
  commit: string,
  head: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { text } = await gitOrFail(
    at,
    [
      'log',
      '-z',
      '--topo-order',
      '--encoding=UTF-8',
      '--grep=This reverts commit ',
      '--format=%H%n%B',
      `${commit}..${head}`,
    ],
    { signal },
  )
  const reverted = new Set<string>()
  for (const entry of text.split('\0')) {
    const [by = ''] = entry.split('\n', 1)
    if (!reverted.has(by))
      for (const [, name = ''] of entry.matchAll(/This reverts commit ([0-9a-f]{40,64})\b/g)) reverted.add(name)
  }
  return reverted.has(commit)
}

/** Who commits: as git is set up, or Bridgedeck where it is not. */
async function identity(at: TrustedFolder): Promise<Record<string, string>> {
  return (await git(at, ['var', 'GIT_COMMITTER_IDENT'])).code === 0 ? {} : bridgedeck
}
/** The branch goes on to the reverts all at once, or not at all. No abort from here on: it is done in a moment. */
export async function takeOver(
  { at, head: before }: Ready,
  { plan, head }: Reverted,
  onReady: OnReady,
): Promise<RollbackResult> {
  refuseWith(plan)
  const backup = backupName()
  await keep(at, backup, before)
  const { text } = await gitOrFail(at, ['rev-list', `${before}..${head}`])
  const result = { backup, changesBackup: null, before, head, commits: text.split('\n').filter(Boolean) }
  onReady(result)
  const args = [
    'merge',
    '--ff-only',
    '--no-stat',
    '--quiet',
    '--no-autostash',
    '--no-verify-signatures',
    '--no-overwrite-ignore',
    head,
  ]
  const answer = await git(at, args, {
    environment: { GIT_REFLOG_ACTION: 'bridgedeck rollback' },
    limitMs: WORK_TREE_LIMIT_MS,
  })
  if (answer.code !== 0) throw changedConflict(answer)
  return result
}

/** In a work tree of its own in a temporary folder, with this commit checked out and no branch. */
async function inScratch<Result>(
  at: TrustedFolder,
  commit: string,
  signal: AbortSignal | undefined,
  work: (scratch: TrustedFolder) => Promise<Result>,
): Promise<Result> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bridgedeck-rollback-')))
  try {
    // Checked out in a second step: which settings hold there is known only once it is there.
    await gitOrFail(at, ['worktree', 'add', '--quiet', '--detach', '--no-checkout', folder, commit], { signal })
    const scratch = new TrustedFolder(folder, folder)
    await gitOrFail(scratch, ['reset', '--quiet', '--hard'], { limitMs: WORK_TREE_LIMIT_MS, signal })
    return await work(scratch)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await git(at, ['worktree', 'remove', '--force', folder])
  }
}
