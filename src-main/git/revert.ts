import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { GitStep } from '@shared/gitStep'
import { backupName, identity, keep } from './backup'
import { describeCommits, type CommitInfo } from './commits'
import { differenceOf } from './difference'
import { failure, git, gitOrFail } from './git'
import { WORK_TREE_LIMIT_MS } from './gitProcess'
import { newestFirst, notInHead, onNoBranch, readWorkTree } from './repository'
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
  readonly head: string
}

type RevertStep = Extract<GitStep, { readonly kind: 'revert' }>

export async function withReverted<Result>(
  { at, head }: Ready,
  step: RevertStep,
  use: (reverted: Reverted) => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { commits, gone, obstacles } = await commitsToRevert(at, step.commits, signal)
  const refused = (more: readonly string[] = []): Reverted => ({
    plan: { ...emptyPlan, commits, gone, obstacles: [...obstacles, ...more] },
    head,
  })
  if (obstacles.length > 0) return use(refused())
  const kept = new KeptFiles(at, step.kept ?? [])
  const filtered = (await filteredFiles(at, await touchedBy(at, commits, signal), signal)).filter(kept.hasNot)
  if (filtered.length > 0) return use(refused([filterObstacle(filtered)]))
  const { changed, untracked } = await readWorkTree(at, signal)
  const dirty = uncommittedObstacles(changed.filter(kept.hasNot))
  return inScratch(at, head, signal, async (scratch) => {
    const undone: string[] = []
    for (const commit of commits) {
      const outcome = await revertOne({ scratch, head, kept, signal }, commit)
      if (outcome === 'nothing') undone.push(commit.commit)
      else if (outcome !== 'done')
        return use(
          refused([
            ...dirty,
            `Reverting ${short(commit.commit)} “${commit.subject}” conflicts with later changes in ${named(outcome)}.`,
          ]),
        )
    }
    const { text } = await gitOrFail(scratch, ['rev-parse', 'HEAD'], { signal })
    const shown = await differenceOf(scratch, head, 'HEAD', signal)
    const inTheWay = untracked.filter((path) => shown.files.some((file) => file.path === path))
    return use({
      plan: { ...emptyPlan, commits, undone, gone, ...shown, obstacles: [...dirty, ...inTheWayObstacles(inTheWay)] },
      head: text.trim(),
    })
  })
}

async function commitsToRevert(
  at: TrustedFolder,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{ commits: readonly CommitInfo[]; gone: readonly string[]; obstacles: string[] }> {
  if (names.length === 0) return { commits: [], gone: [], obstacles: ['There are no commits to revert.'] }
  if (names.length > MAX_COMMITS)
    return {
      commits: [],
      gone: [],
      obstacles: [`${names.length} commits are too many to revert at once; at most ${MAX_COMMITS}.`],
    }
  const { found, obstacles } = await resolveCommits(at, names, signal)
  const missing = await notInHead(at, found, signal)
  const gone = await onNoBranch(at, [...missing], signal)
  for (const commit of missing)
    if (!gone.has(commit)) obstacles.push(`Commit ${short(commit)} is not in the history of the current branch.`)
  const present = found.filter((commit) => !gone.has(commit))
  const commits = await describeCommits(at, await newestFirst(at, present, signal), signal)
  for (const { commit, parents } of commits)
    if (parents.length > 1)
      obstacles.push(`Commit ${short(commit)} is a merge. Revert it with git revert -m, which names the side to keep.`)
  return { commits, gone: [...gone], obstacles }
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

class KeptFiles {
  readonly #paths: readonly string[]

  constructor({ root, path }: TrustedFolder, kept: readonly string[]) {
    this.#paths = kept.map((name) => relative(path, join(root, name)).replaceAll('\\', '/'))
  }

  readonly hasNot = (file: string): boolean => !this.#paths.some((path) => file === path || file.startsWith(`${path}/`))

  async restore(at: TrustedFolder, files: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const own = files.filter((file) => !this.hasNot(file))
    if (own.length === 0) return
    const paths = [...new Set(own)].map((path) => `:(top,literal)${path}`)
    await gitOrFail(at, ['restore', '--quiet', '--source=HEAD', '--staged', '--worktree', '--', ...paths], { signal })
  }
}

interface RevertPlace {
  readonly scratch: TrustedFolder
  readonly head: string
  readonly kept: KeptFiles
  readonly signal: AbortSignal | undefined
}

async function revertOne(
  { scratch, head, kept, signal }: RevertPlace,
  { commit, subject }: CommitInfo,
): Promise<'done' | 'nothing' | string[]> {
  const options = { limitMs: WORK_TREE_LIMIT_MS, signal }
  const list = async (...args: readonly string[]) =>
    (await gitOrFail(scratch, ['diff', '--name-only', '--no-renames', '-z', ...args], options)).text
      .split('\0')
      .filter(Boolean)
  const args = ['revert', '--no-commit', commit]
  const answer = await git(scratch, args, { environment: await identity(scratch), ...options })
  const conflicts = [...new Set(await list('--diff-filter=U'))]
  if (answer.code !== 0 && conflicts.length === 0) throw failure(args, answer)
  const foreign = conflicts.filter(kept.hasNot)
  const isUndone = foreign.length > 0 && (await isReverted(scratch, commit, head, signal))
  if (foreign.length > 0 && !isUndone) return foreign
  await kept.restore(scratch, [...conflicts, ...(await list('HEAD'))], signal)
  if (isUndone || (await list('HEAD')).length === 0) {
    await gitOrFail(scratch, ['reset', '--quiet', '--hard'], options)
    return 'nothing'
  }
  const message = `Revert "${subject}"\n\nThis reverts commit ${commit}.\n`
  const environment = await identity(scratch)
  await gitOrFail(scratch, ['commit', '--quiet', '--no-verify', '--file=-'], {
    ...options,
    environment,
    input: message,
  })
  return 'done'
}

/** Whether a later commit has the line that git writes into a revert, and was not itself reverted. */
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

/**
 * All at once, or not at all. Cannot be aborted.
 * @param what text for the reflog
 */
export async function takeOver(
  { at, head: before }: Ready,
  { plan, head }: Reverted,
  what: string,
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
    environment: { GIT_REFLOG_ACTION: `bridgedeck ${what}` },
    limitMs: WORK_TREE_LIMIT_MS,
  })
  if (answer.code !== 0) throw changedConflict(answer)
  return result
}

async function inScratch<Result>(
  at: TrustedFolder,
  commit: string,
  signal: AbortSignal | undefined,
  work: (scratch: TrustedFolder) => Promise<Result>,
): Promise<Result> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bridgedeck-rollback-')))
  try {
    // Checked out in a second step, as the settings that apply there are known only then.
    await gitOrFail(at, ['worktree', 'add', '--quiet', '--detach', '--no-checkout', folder, commit], { signal })
    const scratch = new TrustedFolder(folder, folder)
    await gitOrFail(scratch, ['reset', '--quiet', '--hard'], { limitMs: WORK_TREE_LIMIT_MS, signal })
    return await work(scratch)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await git(at, ['worktree', 'remove', '--force', folder])
  }
}
