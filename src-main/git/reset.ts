import { copyFile, lstat, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import type { GitStep } from '@shared/gitStep'
import { backupName, bridgedeck, keep } from './backup'
import { describeCommits, type CommitInfo } from './commits'
import { differenceOf } from './difference'
import { failure, git, gitOrFail } from './git'
import { WORK_TREE_LIMIT_MS } from './gitProcess'
import { findCommits, notInHead, readWorkTree, type Repository } from './repository'
import {
  MAX_COMMITS,
  changedConflict,
  filterObstacle,
  emptyPlan,
  short,
  inTheWayObstacles,
  uncommittedObstacles,
  type OnReady,
  type RollbackPlan,
  type RollbackResult,
} from './rollbackPlan'
import { filteredFiles, resolveCommits } from './rollbackQueries'
import type { Ready } from './rollbackRepository'
import type { TrustedFolder } from './trustedFolder'

type ResetStep = Extract<GitStep, { kind: 'reset' | 'discard' }>
type RestoreStep = Extract<GitStep, { kind: 'restore' }>

interface PlannedMove {
  readonly plan: RollbackPlan
  readonly target: string
}

const refusedMove = (target: string, ...obstacles: string[]): PlannedMove => ({
  plan: { ...emptyPlan, obstacles },
  target,
})

export async function planReset(
  { at, repository, head }: Ready,
  step: ResetStep,
  signal: AbortSignal | undefined,
): Promise<PlannedMove> {
  let target = head
  if (step.kind === 'reset') {
    const { found, obstacles } = await resolveCommits(at, [step.commit], signal)
    if (found[0] === undefined) return refusedMove(target, obstacles[0] ?? 'The commit is not known.')
    target = found[0]
    if ((await notInHead(at, [target], signal)).size > 0)
      return refusedMove(target, `Commit ${short(target)} is not in the history of the current branch.`)
  }
  // git would obey a submodule's own settings to find out whether it changed.
  const { text } = await gitOrFail(at, ['ls-files', '--stage', '-z'], {
    maxOutputBytes: 256 * 1024 * 1024,
    limitMs: WORK_TREE_LIMIT_MS,
    signal,
  })
  if (/(?:^|\0)160000 /.test(text))
    return refusedMove(
      target,
      'The repository has submodules, and their changes cannot be kept. Roll back with git itself.',
    )
  const paths = await gitOrFail(at, ['diff', '--name-only', '-z', target, '--'], {
    limitMs: WORK_TREE_LIMIT_MS,
    signal,
  })
  const filtered = await filteredFiles(at, paths.bytes, signal)
  if (filtered.length > 0) return refusedMove(target, filterObstacle(filtered))
  return asTree(at, repository, of(step), signal, async ({ tree }) => {
    const inTheWay = await unknownInTheWay(at, tree, target, signal)
    const obstacles = inTheWayObstacles(inTheWay)
    return {
      plan: {
        ...emptyPlan,
        commits: await between(at, target, head, signal),
        ...(await differenceOf(at, tree, target, signal)),
        obstacles,
      },
      target,
    }
  })
}

/** A reset leaves files that git does not know where they are. */
const of = ({ kind }: ResetStep) => (kind === 'reset' ? '--update' : '--all')

async function between(
  at: TrustedFolder,
  without: string,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<CommitInfo[]> {
  const { text } = await gitOrFail(
    at,
    ['rev-list', '--topo-order', `--max-count=${MAX_COMMITS}`, `${without}..${commit}`],
    { signal },
  )
  return describeCommits(at, text.split('\n').filter(Boolean), signal)
}

/** Files of the other tree that the first does not have: git itself would overwrite ignored ones. */
async function unknownInTheWay(
  at: TrustedFolder,
  tree: string,
  target: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { text } = await gitOrFail(
    at,
    ['diff', '--name-only', '--diff-filter=A', '--no-renames', '-z', tree, target, '--'],
    { limitMs: WORK_TREE_LIMIT_MS, signal },
  )
  const paths = text.split('\0').filter(Boolean)
  const isThere = await Promise.all(
    paths.map((path) =>
      lstat(join(at.path, path)).then(
        (found) => !found.isDirectory(),
        () => false,
      ),
    ),
  )
  return paths.filter((_, index) => isThere[index])
}

export async function planRestore(
  { at, head }: Ready,
  { backup, commit, head: left }: RestoreStep,
  signal: AbortSignal | undefined,
): Promise<PlannedMove> {
  const back = `git reset --hard ${backup}`
  if ((await findCommits(at, [commit], signal)).get(commit) !== commit)
    return refusedMove(commit, `The backup ${backup} is no longer in the repository.`)
  if (head === commit && head !== left)
    return refusedMove(commit, `The branch is already at ${backup}, so there is nothing to restore.`)
  if (head !== left) {
    const since = await between(at, left, head, signal)
    const newest = since[0]
      ? `, with ${since.length === 1 ? 'a commit' : `${since.length} commits`} up to ${short(head)} “${since[0].subject}”`
      : ''
    return refusedMove(
      commit,
      `The branch has moved since${newest}. The earlier state is kept as ${backup}: git diff ${backup} shows the differences, and ${back} restores it, without what came since.`,
    )
  }
  const shown = await differenceOf(at, head, commit, signal)
  const touched = (
    await gitOrFail(at, ['diff', '--name-only', '-z', '--no-renames', head, commit, '--'], {
      limitMs: WORK_TREE_LIMIT_MS,
      signal,
    })
  ).bytes
  const filtered = await filteredFiles(at, touched, signal)
  if (filtered.length > 0) return refusedMove(commit, `${filterObstacle(filtered)} The command is: ${back}`)
  const paths = new Set(touched.toString().split('\0').filter(Boolean))
  const dirty = (await readWorkTree(at, signal)).changed.filter((path) => paths.has(path))
  const inTheWay = await unknownInTheWay(at, head, commit, signal)
  const obstacles = [...uncommittedObstacles(dirty), ...inTheWayObstacles(inTheWay)]
  return {
    plan: {
      ...emptyPlan,
      commits: await between(at, commit, head, signal),
      returned: await between(at, head, commit, signal),
      ...shown,
      obstacles,
    },
    target: commit,
  }
}

interface WorkTree {
  readonly tree: string
  readonly environment: Readonly<Record<string, string>>
}

/** Uses an index of its own: neither the index nor any ref is touched. */
async function asTree<Result>(
  at: TrustedFolder,
  { gitFolder }: Repository,
  what: '--all' | '--update',
  signal: AbortSignal | undefined,
  use: (workTree: WorkTree) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-index-'))
  try {
    const index = join(folder, 'index')
    await copyFile(join(gitFolder, 'index'), index).catch(() => undefined)
    const options = { environment: { GIT_INDEX_FILE: index }, limitMs: WORK_TREE_LIMIT_MS, signal }
    await gitOrFail(at, ['add', what, '--', ':/'], options)
    return await use({
      tree: (await gitOrFail(at, ['write-tree'], options)).text.trim(),
      environment: options.environment,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** git refuses, and nothing changes, when a file was written after the backup. */
export async function reset(
  { at, repository, head }: Ready,
  step: ResetStep,
  { target }: PlannedMove,
  onReady: OnReady,
): Promise<RollbackResult> {
  return asTree(at, repository, of(step), undefined, async ({ tree, environment }) => {
    const backup = backupName()
    await keep(at, backup, head)
    const result = {
      backup,
      changesBackup: await keepChanges(at, repository, head, `${backup}-changes`),
      before: head,
      head: target,
      commits: [],
    }
    onReady(result)
    await move(at, { from: tree, to: target, head, environment })
    await unstage(at)
    return result
  })
}

export async function restore({ at, head }: Ready, { target }: PlannedMove, onReady: OnReady): Promise<RollbackResult> {
  const backup = backupName()
  await keep(at, backup, head)
  const result = { backup, changesBackup: null, before: head, head: target, commits: [] }
  onReady(result)
  await git(at, ['update-index', '-q', '--refresh'], { limitMs: WORK_TREE_LIMIT_MS })
  await move(at, { from: head, to: target, head, environment: {} })
  return result
}

interface Move {
  readonly from: string
  readonly to: string
  readonly head: string
  readonly environment: Readonly<Record<string, string>>
}

/** Files first, then HEAD, each only if unchanged. Cannot be aborted. */
export async function move(at: TrustedFolder, { from, to, head, environment }: Move): Promise<void> {
  const readTree = (before: string, after: string) =>
    git(at, ['read-tree', '-m', '-u', before, after], { environment, limitMs: WORK_TREE_LIMIT_MS })
  const moved = await readTree(from, to)
  if (moved.code !== 0) throw changedConflict(moved)
  const pointed = await git(at, ['update-ref', '-m', 'bridgedeck rollback', 'HEAD', to, head])
  if (pointed.code === 0) return
  const back = await readTree(to, from)
  if (back.code === 0) throw changedConflict(pointed)
  throw new AppError(
    'CONFLICT',
    `Another program moved the branch after the files were changed to those of ${short(to)}, and some files have changed since. ${back.message.trim()}`.slice(
      0,
      1800,
    ),
    {
      hint: 'git status shows what differs from the branch. The earlier state is under the newest refs in refs/bridgedeck/backup.',
    },
  )
}

/** ms; another git holds the index for a moment only. */
const UNSTAGE_RETRY_MS = 100
const MAX_UNSTAGE_TRIES = 50

async function unstage(at: TrustedFolder): Promise<void> {
  const args = ['reset', '--quiet']
  for (let tries = 1; ; tries++) {
    const answer = await git(at, args, { limitMs: WORK_TREE_LIMIT_MS })
    if (answer.code === 0) return
    if (tries === MAX_UNSTAGE_TRIES || !answer.message.includes('index.lock')) throw failure(args, answer)
    await wait(UNSTAGE_RETRY_MS)
  }
}

async function keepChanges(
  at: TrustedFolder,
  repository: Repository,
  head: string,
  name: string,
): Promise<string | null> {
  const { changed, untracked } = await readWorkTree(at)
  if (changed.length + untracked.length === 0) return null
  const commit = async (tree: string, parents: readonly string[], message: string) =>
    (
      await gitOrFail(at, ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-m', message, tree], {
        environment: bridgedeck,
      })
    ).text.trim()
  const staged = await git(at, ['write-tree'])
  const index = await commit(
    staged.code === 0 ? staged.text.trim() : `${head}^{tree}`,
    [head],
    'The index before a rollback',
  )
  await asTree(at, repository, '--all', undefined, async ({ tree }) =>
    keep(at, name, await commit(tree, [head, index], 'What was not committed before a rollback')),
  )
  return name
}
