import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { GitStep } from '@shared/gitStep'
import type { Worktree } from '@shared/worktree'
import { identity } from './backup'
import { describeCommits } from './commits'
import { differenceOf } from './difference'
import { failure, git, gitOrFail } from './git'
import { WORK_TREE_LIMIT_MS } from './gitProcess'
import { checkedOutBranch, readWorkTree } from './repository'
import { planReset, reset } from './reset'
import { takeOver } from './revert'
import {
  MAX_COMMITS,
  emptyPlan,
  filterObstacle,
  inTheWayObstacles,
  named,
  uncommittedObstacles,
  type OnReady,
  type RollbackPlan,
  type RollbackResult,
} from './rollbackPlan'
import { filteredFiles } from './rollbackQueries'
import { prepare, type Ready } from './rollbackRepository'
import type { TrustedFolder } from './trustedFolder'
import { removeWorktree, tipOf, topOf, worktreeFolder } from './worktree'

type MergeStep = Extract<GitStep, { readonly kind: 'merge' }>
type ThrowAwayStep = Extract<GitStep, { readonly kind: 'throw-away' }>

interface Merged {
  readonly plan: RollbackPlan
  readonly head: string
}

export async function planMerge(ready: Ready, step: MergeStep, signal: AbortSignal | undefined): Promise<Merged> {
  const { at, head } = ready
  const { worktree } = step
  const tip = await tipOf(at, worktree, signal)
  const refused = (...obstacles: string[]): Merged => ({ plan: { ...emptyPlan, obstacles }, head })
  const branch = await checkedOutBranch(at, signal)
  const began = worktree.into === null ? 'where no branch was checked out' : `on ${worktree.into}`
  if (branch === null && worktree.into !== null)
    return refused(`The run began ${began}, and no branch is checked out: check one out first.`)
  if (branch !== (step.into === undefined ? worktree.into : step.into))
    return refused(
      step.into === undefined
        ? `The run began ${began}, and ${branch ?? 'no branch'} is checked out now.`
        : `${branch ?? 'No branch'} is checked out now: look again at what the merge would change.`,
    )
  const branchCommits = await describeCommits(at, await newCommits(at, head, tip, signal), signal)
  const left = await leftUncommitted(worktree, signal)
  const dirtyThere =
    left.length === 0 ? [] : [`The worktree has uncommitted changes in ${named(left)}: commit them there first.`]
  const merge = await git(at, ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', head, tip], {
    signal,
  })
  if (merge.code > 1) throw failure(['merge-tree'], merge)
  const [mergedTree = '', ...conflicts] = merge.text.split('\0').filter(Boolean)
  const kept = step.kept.map((name) => relative(at.path, join(at.root, name)).replaceAll('\\', '/'))
  const isKept = (file: string) => kept.some((path) => file === path || file.startsWith(`${path}/`))
  const foreign = [...new Set(conflicts)].filter((file) => !isKept(file))
  if (foreign.length > 0)
    return {
      plan: {
        ...emptyPlan,
        branch: branchCommits,
        obstacles: [
          ...dirtyThere,
          `${branch ?? 'HEAD'} and ${worktree.branch} changed the same lines in ${named(foreign)}. Merge by hand: git merge ${worktree.branch}, resolve, commit; then merge here again to end the worktree.`,
        ],
      },
      head,
    }
  const tree = await withoutKept(ready, mergedTree, isKept, signal)
  const shown = await differenceOf(at, head, tree, signal)
  const paths = shown.files.map(({ path }) => path)
  const filtered = await filteredFiles(at, new TextEncoder().encode(`${paths.join('\0')}\0`), signal)
  const { changed, untracked } = await readWorkTree(at, signal)
  const obstacles = [
    ...dirtyThere,
    ...(filtered.length > 0 ? [filterObstacle(filtered)] : []),
    ...uncommittedObstacles(changed.filter((path) => paths.includes(path))),
    ...inTheWayObstacles(untracked.filter((path) => paths.includes(path))),
  ]
  return {
    plan: { ...emptyPlan, branch: branchCommits, ...shown, obstacles },
    head:
      branchCommits.length === 0
        ? head
        : await mergeCommit(ready, { from: worktree.branch, into: branch }, { tip, tree }, signal),
  }
}

async function mergeCommit(
  { at, head }: Ready,
  { from, into }: { readonly from: string; readonly into: string | null },
  { tip, tree }: { readonly tip: string; readonly tree: string },
  signal: AbortSignal | undefined,
): Promise<string> {
  const isAhead = (await git(at, ['merge-base', '--is-ancestor', head, tip], { signal })).code === 0
  const tipTree = (await gitOrFail(at, ['rev-parse', `${tip}^{tree}`], { signal })).text.trim()
  if (isAhead && tipTree === tree) return tip
  const message = `Merge branch '${from}'${into === null ? '' : ` into ${into}`}\n`
  const args = ['commit-tree', '-p', head, '-p', tip, '-F', '-', tree]
  return (await gitOrFail(at, args, { environment: await identity(at), input: message, signal })).text.trim()
}

const newCommits = async (at: TrustedFolder, head: string, tip: string, signal: AbortSignal | undefined) =>
  (await gitOrFail(at, ['rev-list', '--topo-order', `--max-count=${MAX_COMMITS}`, `${head}..${tip}`], { signal })).text
    .split('\n')
    .filter(Boolean)

async function leftUncommitted(worktree: Worktree, signal: AbortSignal | undefined): Promise<readonly string[]> {
  const there = await worktreeFolder(worktree, signal)
  if (!there) return []
  const { changed, untracked } = await readWorkTree(there, signal)
  return [...changed, ...untracked]
}

async function withoutKept(
  { at, head, repository: { gitFolder } }: Ready,
  tree: string,
  isKept: (file: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<string> {
  const names = await gitOrFail(at, ['diff', '--name-only', '--no-renames', '-z', head, tree, '--'], { signal })
  const own = names.text.split('\0').filter((file) => file !== '' && isKept(file))
  if (own.length === 0) return tree
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-index-'))
  try {
    const index = join(folder, 'index')
    await copyFile(join(gitFolder, 'index'), index).catch(() => undefined)
    const options = { environment: { GIT_INDEX_FILE: index }, limitMs: WORK_TREE_LIMIT_MS, signal }
    await gitOrFail(at, ['read-tree', tree], options)
    await gitOrFail(at, ['reset', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul', head], {
      ...options,
      input: own.map((file) => `:(top,literal)${file}`).join('\0'),
    })
    return (await gitOrFail(at, ['write-tree'], options)).text.trim()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * All at once, or not at all; the work tree stays.
 * @returns why it cannot be merged; empty when it is
 */
export async function mergeBranch(at: TrustedFolder, step: MergeStep): Promise<readonly string[]> {
  const ready = await prepare(at, undefined)
  const merged = await planMerge(ready, step, undefined)
  if (merged.plan.obstacles.length === 0 && merged.head !== ready.head)
    await takeOver(ready, merged, `merge ${step.worktree.branch}`, () => undefined)
  return merged.plan.obstacles
}

/** All at once, or not at all; then the work tree is removed. */
export async function merge(
  ready: Ready,
  { worktree }: MergeStep,
  merged: Merged,
  onReady: OnReady,
): Promise<RollbackResult> {
  const result = await takeOver(ready, merged, `merge ${worktree.branch}`, onReady)
  await removeWorktree(ready.at, worktree)
  return result
}

export async function planThrowAway(
  { at, head }: Ready,
  { worktree }: ThrowAwayStep,
  signal: AbortSignal | undefined,
): Promise<RollbackPlan> {
  const tip = await tipOf(at, worktree, signal)
  const left = await leftUncommitted(worktree, signal)
  const base = (await git(at, ['merge-base', head, tip], { signal })).text.trim()
  return {
    ...emptyPlan,
    branch: await describeCommits(at, await newCommits(at, head, tip, signal), signal),
    lost: [topOf(worktree), ...left],
    ...(await differenceOf(at, tip, base === '' ? worktree.base : base, signal)),
  }
}

/** Uncommitted changes and the branch are kept under backup refs. */
export async function throwAway(
  { at, head }: Ready,
  { worktree }: ThrowAwayStep,
  onReady: OnReady,
): Promise<RollbackResult> {
  const there = await worktreeFolder(worktree)
  const left = there && (await leftUncommitted(worktree, undefined)).length > 0 ? await prepare(there, undefined) : null
  let changesBackup: string | null = null
  if (left) {
    const step = { kind: 'discard' } as const
    await reset(left, step, await planReset(left, step, undefined), (result) => (changesBackup = result.changesBackup))
  }
  const backup = await removeWorktree(at, worktree)
  const result = { backup, changesBackup, before: head, head, commits: [] }
  onReady(result)
  return result
}
