/**
 * Taking back what agents committed or left behind, so that nothing is lost: what was there stays under a backup ref, and a rollback
 * is either done as a whole or has changed nothing.
 */
import { copyFile, lstat, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import { fewOf } from '@shared/fewOf'
import type { GitStep } from '../formats/edit/action'
import {
  describeCommits,
  failure,
  filterNames,
  findCommits,
  findRepository,
  git,
  gitOrFail,
  LONG_TIME,
  newestFirst,
  notInHead,
  readWorkTree,
  type CommitInfo,
  type GitAnswer,
  type Repository,
} from './git'
import { TrustedFolder } from './trustedFolder'

/** Bytes of a difference that are shown. */
const LONGEST_DIFF = 1024 * 1024
/** Commits that one rollback takes back. */
const MOST_COMMITS = 200
/** Names in one sentence. */
const MOST_NAMES = 8

export interface RollbackPlan {
  /** Those that are taken back, the newest first. */
  readonly commits: readonly CommitInfo[]
  /** Of {@link commits}: they change nothing, as later ones undid them. When that is all of them, git has nothing left to do. */
  readonly undone: readonly string[]
  /** Those that are there again, the newest first. */
  readonly returned: readonly CommitInfo[]
  /** What changes in the files; null lines of a binary file. Paths are relative to the top of the work tree. */
  readonly files: readonly { readonly path: string; readonly added: number | null; readonly deleted: number | null }[]
  /** As `git diff` shows it, cut where it is very long. */
  readonly diff: string
  readonly isCut: boolean
  /** Why it cannot be done as things stand, a sentence each; none: it can. */
  readonly obstacles: readonly string[]
}

export interface RollbackResult {
  /** The ref of where HEAD was: `git reset --hard` to it brings that back. */
  readonly backup: string
  /** What was not committed, for `git stash apply`; null when there was nothing. */
  readonly changesBackup: string | null
  /** HEAD before. */
  readonly before: string
  /** HEAD now. */
  readonly head: string
  /** Made by it, the newest first. */
  readonly commits: readonly string[]
}

interface Ready {
  readonly at: TrustedFolder
  readonly repository: Repository
  readonly head: string
}

/**
 * What a step would do, tried out: a revert in a work tree of its own in a temporary folder, which is removed again.
 * @throws AppError where there is no repository to roll back in
 */
export async function planRollback(folder: TrustedFolder, step: GitStep, signal?: AbortSignal): Promise<RollbackPlan> {
  const ready = await prepare(folder, signal)
  if (step.kind === 'revert') return withReverted(ready, step.commits, async ({ plan }) => plan, signal)
  return (step.kind === 'restore' ? await planRestore(ready, step, signal) : await planReset(ready, step, signal)).plan
}

/** The step with the commit that is meant now in the place of `HEAD~1`: what was agreed on stays that, whatever is committed meanwhile. */
export async function pinStep(folder: TrustedFolder, step: GitStep, signal?: AbortSignal): Promise<GitStep> {
  if (step.kind !== 'reset' || !/^HEAD(~\d{1,4})?$/.test(step.commit)) return step
  const { code, text } = await git(folder, ['rev-parse', '--verify', '--quiet', `${step.commit}^{commit}`], { signal })
  if (code !== 0) throw new AppError('NOT_FOUND', `There is no commit ${step.commit}: nothing comes before the first.`)
  return { kind: 'reset', commit: text.trim() }
}

/**
 * Does a step, with a backup ref first. To do it again after a crash in the middle of it finishes it.
 * @param onReady told what the result will be when all is prepared, and neither branch nor work tree is touched yet
 * @throws AppError CONFLICT with the first obstacle, or when the repository changed meanwhile: nothing is changed then
 */
export async function rollBack(
  folder: TrustedFolder,
  step: GitStep,
  signal?: AbortSignal,
  onReady: OnReady = () => undefined,
): Promise<RollbackResult> {
  const ready = await prepare(folder, signal)
  if (step.kind === 'revert')
    return withReverted(ready, step.commits, (reverted) => takeOver(ready, reverted, onReady), signal)
  const planned =
    step.kind === 'restore' ? await planRestore(ready, step, signal) : await planReset(ready, step, signal)
  refuseWith(planned.plan)
  return step.kind === 'restore' ? restore(ready, planned, onReady) : reset(ready, step, planned, onReady)
}

type OnReady = (result: RollbackResult) => void

/** The repository, at its top: it has to lie in the project that is trusted, with its git folder. */
async function prepare(folder: TrustedFolder, signal: AbortSignal | undefined): Promise<Ready> {
  const repository = await findRepository(folder, signal)
  if (!repository)
    throw new AppError('UNSUPPORTED', 'This folder is in no git repository: there is nothing to roll back to.', {
      hint: 'Undo in the journal brings back what Bridgedeck wrote.',
    })
  const { top, gitFolder, head } = repository
  if (!isInside(folder.root, top))
    throw new AppError(
      'FORBIDDEN',
      `The git repository begins at ${top}, above the project: a rollback would change files outside it.`,
      { hint: 'Open that folder, and trust it.' },
    )
  if (!isInside(folder.root, gitFolder) && !(await pointsBack(gitFolder, top))) {
    throw new AppError(
      'FORBIDDEN',
      `The project’s git folder is ${gitFolder}, outside the project, and is not made for it.`,
      { hint: 'Roll back with git itself.' },
    )
  }
  if (head === null)
    throw new AppError('UNSUPPORTED', 'The git repository has no commit yet: there is nothing to roll back to.')
  const underWay = await operationUnderWay(gitFolder)
  if (underWay !== undefined)
    throw new AppError('CONFLICT', `A ${underWay} is under way in the repository.`, {
      hint: `Finish it, or end it with: git ${underWay} --abort`,
    })
  return { at: new TrustedFolder(folder.root, top), repository, head }
}

const isInside = (root: string, path: string): boolean =>
  path === root ||
  (!relative(root, path).startsWith(`..${sep}`) &&
    relative(root, path) !== '..' &&
    !/^([a-z]:|[/\\])/i.test(relative(root, path)))

/** A linked work tree's git folder names the `.git` file that leads to it. */
async function pointsBack(gitFolder: string, top: string): Promise<boolean> {
  const named = await readFile(join(gitFolder, 'gitdir'), 'utf8').catch(() => undefined)
  return named !== undefined && (await realpath(named.trim()).catch(() => undefined)) === join(top, '.git')
}

const traces = {
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  sequencer: 'revert',
}

async function operationUnderWay(gitFolder: string): Promise<string | undefined> {
  for (const [name, operation] of Object.entries(traces)) {
    if (await lstat(join(gitFolder, name)).catch(() => undefined)) return operation
  }
  return undefined
}

const named = (names: readonly string[]): string => fewOf(names, MOST_NAMES)

const uncommitted = (files: readonly string[]): string[] =>
  files.length === 0
    ? []
    : [`There are changes that are not committed, in ${named(files)}: commit them, or put them away with git stash.`]

const standingInTheWay = (files: readonly string[]): string[] =>
  files.length === 0 ? [] : [`${named(files)} would come back, but a file that git does not know stands there.`]

const short = (commit: string): string => commit.slice(0, 10)

const nothing: RollbackPlan = {
  commits: [],
  undone: [],
  returned: [],
  files: [],
  diff: '',
  isCut: false,
  obstacles: [],
}

interface Reverted {
  readonly plan: RollbackPlan
  /** With the reverts on it; where HEAD is when nothing was to be reverted. */
  readonly head: string
}

/** Reverts in a work tree of its own, and has the result used while that keeps it. */
async function withReverted<Result>(
  { at, head }: Ready,
  names: readonly string[],
  use: (reverted: Reverted) => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { commits, obstacles } = await commitsToRevert(at, names, signal)
  const refused = (more: readonly string[] = []): Reverted => ({
    plan: { ...nothing, commits, obstacles: [...obstacles, ...more] },
    head,
  })
  if (obstacles.length > 0) return use(refused())
  const filtered = await filteredFiles(at, await touchedBy(at, commits, signal), signal)
  if (filtered.length > 0) return use(refused([filterObstacle(filtered)]))
  const { changed, untracked } = await readWorkTree(at, signal)
  const dirty = uncommitted(changed)
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
      plan: { ...nothing, commits, undone, ...shown, obstacles: [...dirty, ...standingInTheWay(inTheWay)] },
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
  if (names.length === 0) return { commits: [], obstacles: ['No commit is named: there is nothing to revert.'] }
  if (names.length > MOST_COMMITS)
    return {
      commits: [],
      obstacles: [`${names.length} commits are more than the ${MOST_COMMITS} that are reverted at once.`],
    }
  const { found, obstacles } = await resolveCommits(at, names, signal)
  const missing = await notInHead(at, found, signal)
  for (const commit of missing) obstacles.push(`Commit ${short(commit)} is not part of what is checked out.`)
  const commits = await describeCommits(at, await newestFirst(at, found, signal), signal)
  for (const { commit, parents } of commits)
    if (parents.length > 1)
      obstacles.push(`Commit ${short(commit)} is a merge: which side to keep has to be decided, with git revert -m.`)
  return { commits, obstacles }
}

async function resolveCommits(
  at: TrustedFolder,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{ found: string[]; obstacles: string[] }> {
  const known = await findCommits(at, names, signal)
  const found = new Set<string>()
  const obstacles: string[] = []
  for (const name of names) {
    const commit = known.get(name)
    if (typeof commit === 'string') found.add(commit)
    else
      obstacles.push(
        commit === null
          ? `Commit ${name} is not in the repository.`
          : `“${name.slice(0, 60)}” is no commit’s hash, or fits several.`,
      )
  }
  return { found: [...found], obstacles }
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

/** Of the paths, each ended by a zero byte, those that git stores through a filter such as LFS. */
async function filteredFiles(at: TrustedFolder, paths: Uint8Array, signal: AbortSignal | undefined): Promise<string[]> {
  const filters = await filterNames(at, signal)
  if (filters.size === 0 || paths.length === 0) return []
  const values = (await gitOrFail(at, ['check-attr', '--stdin', '-z', 'filter'], { input: paths, signal })).text.split(
    '\0',
  )
  const filtered = values.flatMap((path, index) =>
    index % 3 === 0 && filters.has(values[index + 2] ?? '') ? [path] : [],
  )
  return [...new Set(filtered)]
}

const filterObstacle = (files: readonly string[]): string =>
  `${named(files)} would be changed, which git stores through a filter, and Bridgedeck runs no program that a repository names: roll back with git itself.`

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
  const answer = await git(scratch, args, { environment: await identity(scratch), timeout: LONG_TIME, signal })
  if (answer.code === 0) return 'done'
  const { text } = await gitOrFail(scratch, ['diff', '--name-only', '-z', '--diff-filter=U'], { signal })
  const conflicts = [...new Set(text.split('\0').filter(Boolean))]
  if (conflicts.length > 0) {
    if (!(await isReverted(scratch, commit, head, signal))) return conflicts
    await gitOrFail(scratch, ['revert', '--abort'], { timeout: LONG_TIME, signal })
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
const bridgedeck = {
  GIT_AUTHOR_NAME: 'Bridgedeck',
  GIT_AUTHOR_EMAIL: 'bridgedeck@localhost',
  GIT_COMMITTER_NAME: 'Bridgedeck',
  GIT_COMMITTER_EMAIL: 'bridgedeck@localhost',
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
    await gitOrFail(scratch, ['reset', '--quiet', '--hard'], { timeout: LONG_TIME, signal })
    return await work(scratch)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await git(at, ['worktree', 'remove', '--force', folder])
  }
}

async function differenceOf(
  at: TrustedFolder,
  from: string,
  to: string,
  signal: AbortSignal | undefined,
): Promise<Pick<RollbackPlan, 'files' | 'diff' | 'isCut'>> {
  const counts = await gitOrFail(at, ['diff', '--numstat', '-z', '--no-renames', from, to, '--'], {
    timeout: LONG_TIME,
    signal,
  })
  const { text, isCut } = await git(at, ['diff', from, to, '--'], {
    mostOutput: LONGEST_DIFF,
    timeout: LONG_TIME,
    signal,
  })
  const files = counts.text.split('\0').flatMap((entry) => {
    const [, added, deleted, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(entry) ?? []
    if (added === undefined || deleted === undefined || path === undefined) return []
    return [{ path, added: added === '-' ? null : Number(added), deleted: deleted === '-' ? null : Number(deleted) }]
  })
  return { files, diff: text, isCut }
}

/** The branch goes on to the reverts all at once, or not at all. No abort from here on: it is done in a moment. */
async function takeOver(
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
  const answer = await git(at, args, { environment: { GIT_REFLOG_ACTION: 'bridgedeck rollback' }, timeout: LONG_TIME })
  if (answer.code !== 0) throw changedMeanwhile(answer)
  return result
}

const changedMeanwhile = ({ words }: GitAnswer): AppError =>
  new AppError(
    'CONFLICT',
    `Nothing was rolled back: the repository changed meanwhile, or a file is in the way. ${words.trim()}`.slice(
      0,
      1800,
    ),
    { hint: 'Look again at what would change.' },
  )

function refuseWith({ obstacles }: RollbackPlan): void {
  const [first, ...more] = obstacles
  if (first !== undefined)
    throw new AppError(
      'CONFLICT',
      `Nothing was rolled back. ${first}`,
      more.length === 0 ? {} : { hint: more.join(' ').slice(0, 2000) },
    )
}

const backupName = (): string => `refs/bridgedeck/backup/${new Date().toISOString().replace(/[-:.]/g, '')}`

/** Makes a ref that is not there yet. */
const keep = (at: TrustedFolder, name: string, commit: string) =>
  gitOrFail(at, ['update-ref', '-m', 'bridgedeck backup', '--create-reflog', name, commit, '0'.repeat(commit.length)])

type ResetStep = Extract<GitStep, { kind: 'reset' | 'discard' }>
type RestoreStep = Extract<GitStep, { kind: 'restore' }>

interface PlannedMove {
  readonly plan: RollbackPlan
  readonly target: string
}

const refusedMove = (target: string, ...obstacles: string[]): PlannedMove => ({
  plan: { ...nothing, obstacles },
  target,
})

async function planReset(
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
      return refusedMove(target, `Commit ${short(target)} is not part of what is checked out.`)
  }
  // Whether a submodule is changed, git would ask by that one's own settings.
  const { text } = await gitOrFail(at, ['ls-files', '--stage', '-z'], {
    mostOutput: 256 * 1024 * 1024,
    timeout: LONG_TIME,
    signal,
  })
  if (/(?:^|\0)160000 /.test(text))
    return refusedMove(
      target,
      'The repository has submodules, whose changes could not be kept: roll back with git itself.',
    )
  const paths = await gitOrFail(at, ['diff', '--name-only', '-z', target, '--'], { timeout: LONG_TIME, signal })
  const filtered = await filteredFiles(at, paths.bytes, signal)
  if (filtered.length > 0) return refusedMove(target, filterObstacle(filtered))
  return asTree(at, repository, of(step), signal, async ({ tree }) => {
    const inTheWay = await unknownInTheWay(at, tree, target, signal)
    const obstacles = standingInTheWay(inTheWay)
    return {
      plan: {
        ...nothing,
        commits: await between(at, target, head, signal),
        ...(await differenceOf(at, tree, target, signal)),
        obstacles,
      },
      target,
    }
  })
}

/** A reset leaves what git does not know where it is. */
const of = ({ kind }: ResetStep) => (kind === 'reset' ? '--update' : '--all')

/** The commits of one that the other does not have, the newest first. */
async function between(
  at: TrustedFolder,
  without: string,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<CommitInfo[]> {
  const { text } = await gitOrFail(
    at,
    ['rev-list', '--topo-order', `--max-count=${MOST_COMMITS}`, `${without}..${commit}`],
    { signal },
  )
  return describeCommits(at, text.split('\n').filter(Boolean), signal)
}

/** Files where the other tree has some and the first has none: git itself would go over those that it is told to ignore. */
async function unknownInTheWay(
  at: TrustedFolder,
  tree: string,
  target: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { text } = await gitOrFail(
    at,
    ['diff', '--name-only', '--diff-filter=A', '--no-renames', '-z', tree, target, '--'],
    { timeout: LONG_TIME, signal },
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

async function planRestore(
  { at, head }: Ready,
  { backup, commit, head: left }: RestoreStep,
  signal: AbortSignal | undefined,
): Promise<PlannedMove> {
  const back = `git reset --hard ${backup}`
  if ((await findCommits(at, [commit], signal)).get(commit) !== commit)
    return refusedMove(commit, `What was kept as ${backup} is not in the repository any more.`)
  if (head === commit && head !== left)
    return refusedMove(commit, `The branch is where ${backup} has kept it: git has nothing to take back.`)
  if (head !== left) {
    const since = await between(at, left, head, signal)
    const newest = since[0]
      ? `, with ${since.length === 1 ? 'a commit' : `${since.length} commits`} up to ${short(head)} “${since[0].subject}”`
      : ''
    return refusedMove(
      commit,
      `The branch has moved since${newest}. What was there before is kept as ${backup}: git diff ${backup} shows what differs, and ${back} goes back to it, without what came since.`,
    )
  }
  const shown = await differenceOf(at, head, commit, signal)
  const touched = (
    await gitOrFail(at, ['diff', '--name-only', '-z', '--no-renames', head, commit, '--'], {
      timeout: LONG_TIME,
      signal,
    })
  ).bytes
  const filtered = await filteredFiles(at, touched, signal)
  if (filtered.length > 0) return refusedMove(commit, `${filterObstacle(filtered)} The command is: ${back}`)
  const paths = new Set(touched.toString().split('\0').filter(Boolean))
  const dirty = (await readWorkTree(at, signal)).changed.filter((path) => paths.has(path))
  const inTheWay = await unknownInTheWay(at, head, commit, signal)
  const obstacles = [...uncommitted(dirty), ...standingInTheWay(inTheWay)]
  return {
    plan: {
      ...nothing,
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
  /** Of an index that has this tree, and what each file looked like on disk. */
  readonly environment: Readonly<Record<string, string>>
}

/** The work tree as a tree of git, by way of an index of its own: neither the index nor any ref is touched. */
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
    const options = { environment: { GIT_INDEX_FILE: index }, timeout: LONG_TIME, signal }
    await gitOrFail(at, ['add', what, '--', ':/'], options)
    return await use({
      tree: (await gitOrFail(at, ['write-tree'], options)).text.trim(),
      environment: options.environment,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What changes in a file after it was looked at, and so is in no backup, makes git refuse: then nothing is changed. */
async function reset(
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

/** What is not committed in other files stays as it is. */
async function restore({ at, head }: Ready, { target }: PlannedMove, onReady: OnReady): Promise<RollbackResult> {
  const backup = backupName()
  await keep(at, backup, head)
  const result = { backup, changesBackup: null, before: head, head: target, commits: [] }
  onReady(result)
  // What only was touched is no change.
  await git(at, ['update-index', '-q', '--refresh'], { timeout: LONG_TIME })
  await move(at, { from: head, to: target, head, environment: {} })
  return result
}

interface Move {
  /** Tree of the index, which has to be what is on disk. */
  readonly from: string
  readonly to: string
  /** Where HEAD has to be. */
  readonly head: string
  readonly environment: Readonly<Record<string, string>>
}

/** First the files, then HEAD, each only if it still is what it was. No abort from here on: it is done in a moment. */
async function move(at: TrustedFolder, { from, to, head, environment }: Move): Promise<void> {
  const readTree = (before: string, after: string) =>
    git(at, ['read-tree', '-m', '-u', before, after], { environment, timeout: LONG_TIME })
  const moved = await readTree(from, to)
  if (moved.code !== 0) throw changedMeanwhile(moved)
  const pointed = await git(at, ['update-ref', '-m', 'bridgedeck rollback', 'HEAD', to, head])
  if (pointed.code === 0) return
  const back = await readTree(to, from)
  if (back.code === 0) throw changedMeanwhile(pointed)
  throw new AppError(
    'CONFLICT',
    `The branch was moved by another program, after the files had become those of ${short(to)}; and some were changed since. ${back.words.trim()}`.slice(
      0,
      1800,
    ),
    {
      hint: 'git status tells what differs from the branch; what was there before is under the newest refs in refs/bridgedeck/backup.',
    },
  )
}

/** Between two tries, ms; another git has the index for a moment only. */
const PAUSE = 100
const MOST_TRIES = 50

async function unstage(at: TrustedFolder): Promise<void> {
  const args = ['reset', '--quiet']
  for (let tries = 1; ; tries++) {
    const answer = await git(at, args, { timeout: LONG_TIME })
    if (answer.code === 0) return
    if (tries === MOST_TRIES || !answer.words.includes('index.lock')) throw failure(args, answer)
    await wait(PAUSE)
  }
}

/** In the form of a stash, with what git does not know among the files. */
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
  // An index with conflicts in it makes no tree.
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
