/**
 * Taking back what agents committed or left behind, so that nothing is lost: what was there stays under a backup ref, and a rollback
 * is either done as a whole or has changed nothing.
 */
import { copyFile, lstat, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { GitStep } from '../orchestration/edits/action'
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
  /** Of {@link commits}: they change nothing, as later ones undid them. */
  readonly undone: readonly string[]
  /** What changes in the files; null lines of a binary file. Paths are relative to the top of the work tree. */
  readonly files: readonly { readonly path: string; readonly added: number | null; readonly deleted: number | null }[]
  /** As `git diff` shows it, cut where it is very long. */
  readonly diff: string
  readonly isCut: boolean
  /** Why it cannot be done as things stand, a sentence each; none: it can. */
  readonly obstacles: readonly string[]
}

export interface RollbackResult {
  /** Where HEAD was: `git reset --hard` to it brings that back. */
  readonly backup: string
  /** What was not committed, for `git stash apply`; null when there was nothing. */
  readonly changesBackup: string | null
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
  return (await planReset(ready, step, signal)).plan
}

/** The step with the commit that is meant now in the place of `HEAD~1`: what was agreed on stays that, whatever is committed meanwhile. */
export async function pinStep(folder: TrustedFolder, step: GitStep, signal?: AbortSignal): Promise<GitStep> {
  if (step.kind !== 'reset' || !/^HEAD(~\d{1,4})?$/.test(step.commit)) return step
  const { code, text } = await git(folder, ['rev-parse', '--verify', '--quiet', `${step.commit}^{commit}`], { signal })
  if (code !== 0) throw new AppError('NOT_FOUND', `There is no commit ${step.commit}: nothing comes before the first.`)
  return { kind: 'reset', commit: text.trim() }
}

/**
 * Does a step, with a backup ref first.
 * @throws AppError CONFLICT with the first obstacle, or when the repository changed meanwhile: nothing is changed then
 */
export async function rollBack(folder: TrustedFolder, step: GitStep, signal?: AbortSignal): Promise<RollbackResult> {
  const ready = await prepare(folder, signal)
  if (step.kind === 'revert') return withReverted(ready, step.commits, (reverted) => takeOver(ready, reverted), signal)
  return reset(ready, step, await planReset(ready, step, signal))
}

/** The repository, at its top: it has to lie in the project that is trusted, with its git folder. */
async function prepare(folder: TrustedFolder, signal: AbortSignal | undefined): Promise<Ready> {
  const repository = await findRepository(folder, signal)
  if (!repository) throw new AppError('UNSUPPORTED', 'This folder is in no git repository: there is nothing to roll back to.', { hint: 'Undo in the journal brings back what Bridgedeck wrote.' })
  const { top, gitFolder, head } = repository
  if (!isInside(folder.root, top)) throw new AppError('FORBIDDEN', `The git repository begins at ${top}, above the project: a rollback would change files outside it.`, { hint: 'Open that folder, and trust it.' })
  if (!isInside(folder.root, gitFolder) && !(await pointsBack(gitFolder, top))) {
    throw new AppError('FORBIDDEN', `The project’s git folder is ${gitFolder}, outside the project, and is not made for it.`, { hint: 'Roll back with git itself.' })
  }
  if (head === null) throw new AppError('UNSUPPORTED', 'The git repository has no commit yet: there is nothing to roll back to.')
  const underWay = await operationUnderWay(gitFolder)
  if (underWay !== undefined) throw new AppError('CONFLICT', `A ${underWay} is under way in the repository.`, { hint: `Finish it, or end it with: git ${underWay} --abort` })
  return { at: new TrustedFolder(folder.root, top), repository, head }
}

const isInside = (root: string, path: string): boolean => path === root || (!relative(root, path).startsWith(`..${sep}`) && relative(root, path) !== '..' && !/^([a-z]:|[/\\])/i.test(relative(root, path)))

/** A linked work tree's git folder names the `.git` file that leads to it. */
async function pointsBack(gitFolder: string, top: string): Promise<boolean> {
  const named = await readFile(join(gitFolder, 'gitdir'), 'utf8').catch(() => undefined)
  return named !== undefined && (await realpath(named.trim()).catch(() => undefined)) === join(top, '.git')
}

const traces = { MERGE_HEAD: 'merge', CHERRY_PICK_HEAD: 'cherry-pick', REVERT_HEAD: 'revert', 'rebase-merge': 'rebase', 'rebase-apply': 'rebase', sequencer: 'revert' }

async function operationUnderWay(gitFolder: string): Promise<string | undefined> {
  for (const [name, operation] of Object.entries(traces)) {
    if (await lstat(join(gitFolder, name)).catch(() => undefined)) return operation
  }
  return undefined
}

const named = (names: readonly string[]): string =>
  names.length <= MOST_NAMES ? names.join(', ') : `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`

const short = (commit: string): string => commit.slice(0, 10)

interface Reverted {
  readonly plan: RollbackPlan
  /** With the reverts on it; where HEAD is when nothing was to be reverted. */
  readonly head: string
}

/** Reverts in a work tree of its own, and has the result used while that keeps it. */
async function withReverted<Result>({ at, head }: Ready, names: readonly string[], use: (reverted: Reverted) => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  const { commits, obstacles } = await commitsToRevert(at, names, signal)
  const refused = (more: readonly string[] = []): Reverted => ({ plan: { commits, undone: [], files: [], diff: '', isCut: false, obstacles: [...obstacles, ...more] }, head })
  if (obstacles.length > 0) return use(refused())
  const filtered = await filteredFiles(at, await touchedBy(at, commits, signal), signal)
  if (filtered.length > 0) return use(refused([filterObstacle(filtered)]))
  const { changed, untracked } = await readWorkTree(at, signal)
  const dirty = changed.length === 0 ? [] : [`There are changes that are not committed, in ${named(changed)}: commit them, or put them away with git stash.`]
  return inScratch(at, head, signal, async (scratch) => {
    const undone: string[] = []
    for (const { commit, subject } of commits) {
      const outcome = await revertOne(scratch, commit, signal)
      if (outcome === 'nothing') undone.push(commit)
      else if (outcome !== 'done') return use(refused([...dirty, `Reverting ${short(commit)} “${subject}” conflicts with later changes in ${named(outcome)}.`]))
    }
    const { text } = await gitOrFail(scratch, ['rev-parse', 'HEAD'], { signal })
    const shown = await differenceOf(scratch, head, 'HEAD', signal)
    const inTheWay = untracked.filter((path) => shown.files.some((file) => file.path === path))
    const blocked = inTheWay.length === 0 ? [] : [`${named(inTheWay)} would come back, but a file that git does not know stands there.`]
    const nothing = shown.files.length === 0 && undone.length === commits.length ? ['These commits were undone before: there is nothing to revert.'] : []
    return use({ plan: { commits, undone, ...shown, obstacles: [...dirty, ...blocked, ...nothing] }, head: text.trim() })
  })
}

/** The commits, the newest first, or why they cannot be reverted. */
async function commitsToRevert(at: TrustedFolder, names: readonly string[], signal: AbortSignal | undefined): Promise<{ commits: readonly CommitInfo[]; obstacles: string[] }> {
  if (names.length === 0) return { commits: [], obstacles: ['No commit is named: there is nothing to revert.'] }
  if (names.length > MOST_COMMITS) return { commits: [], obstacles: [`${names.length} commits are more than the ${MOST_COMMITS} that are reverted at once.`] }
  const { found, obstacles } = await resolveCommits(at, names, signal)
  const missing = await notInHead(at, found, signal)
  for (const commit of missing) obstacles.push(`Commit ${short(commit)} is not part of what is checked out.`)
  const commits = await describeCommits(at, await newestFirst(at, found, signal), signal)
  for (const { commit, parents } of commits) if (parents.length > 1) obstacles.push(`Commit ${short(commit)} is a merge: which side to keep has to be decided, with git revert -m.`)
  return { commits, obstacles }
}

async function resolveCommits(at: TrustedFolder, names: readonly string[], signal: AbortSignal | undefined): Promise<{ found: string[]; obstacles: string[] }> {
  const known = await findCommits(at, names, signal)
  const found = new Set<string>()
  const obstacles: string[] = []
  for (const name of names) {
    const commit = known.get(name)
    if (typeof commit === 'string') found.add(commit)
    else obstacles.push(commit === null ? `Commit ${name} is not in the repository.` : `“${name.slice(0, 60)}” is no commit’s hash, or fits several.`)
  }
  return { found: [...found], obstacles }
}

const touchedBy = async (at: TrustedFolder, commits: readonly CommitInfo[], signal: AbortSignal | undefined): Promise<Uint8Array> =>
  (await gitOrFail(at, ['diff-tree', '--stdin', '-r', '--root', '-z', '--name-only', '--no-commit-id'], { input: commits.map(({ commit }) => `${commit}\n`).join(''), signal })).bytes

/** Of the paths, each ended by a zero byte, those that git stores through a filter such as LFS. */
async function filteredFiles(at: TrustedFolder, paths: Uint8Array, signal: AbortSignal | undefined): Promise<string[]> {
  const filters = await filterNames(at, signal)
  if (filters.size === 0 || paths.length === 0) return []
  const values = (await gitOrFail(at, ['check-attr', '--stdin', '-z', 'filter'], { input: paths, signal })).text.split('\0')
  const filtered = values.flatMap((path, index) => (index % 3 === 0 && filters.has(values[index + 2] ?? '') ? [path] : []))
  return [...new Set(filtered)]
}

const filterObstacle = (files: readonly string[]): string =>
  `${named(files)} would be changed, which git stores through a filter, and Bridgedeck runs no program that a repository names: roll back with git itself.`

/** @returns the files in conflict when there are any; `nothing` when the commit's changes are not there any more */
async function revertOne(scratch: TrustedFolder, commit: string, signal: AbortSignal | undefined): Promise<'done' | 'nothing' | string[]> {
  const args = ['revert', '--no-edit', commit]
  const answer = await git(scratch, args, { environment: await identity(scratch), timeout: LONG_TIME, signal })
  if (answer.code === 0) return 'done'
  const { text } = await gitOrFail(scratch, ['diff', '--name-only', '-z', '--diff-filter=U'], { signal })
  const conflicts = [...new Set(text.split('\0').filter(Boolean))]
  if (conflicts.length > 0) return conflicts
  const { changed } = await readWorkTree(scratch, signal)
  if (changed.length > 0) throw failure(args, answer)
  await git(scratch, ['revert', '--quit'], { signal })
  return 'nothing'
}

/** Who commits: as git is set up, or Bridgedeck where it is not. */
async function identity(at: TrustedFolder): Promise<Record<string, string>> {
  return (await git(at, ['var', 'GIT_COMMITTER_IDENT'])).code === 0 ? {} : bridgedeck
}
const bridgedeck = { GIT_AUTHOR_NAME: 'Bridgedeck', GIT_AUTHOR_EMAIL: 'bridgedeck@localhost', GIT_COMMITTER_NAME: 'Bridgedeck', GIT_COMMITTER_EMAIL: 'bridgedeck@localhost' }

/** In a work tree of its own in a temporary folder, with this commit checked out and no branch. */
async function inScratch<Result>(at: TrustedFolder, commit: string, signal: AbortSignal | undefined, work: (scratch: TrustedFolder) => Promise<Result>): Promise<Result> {
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

async function differenceOf(at: TrustedFolder, from: string, to: string, signal: AbortSignal | undefined): Promise<Pick<RollbackPlan, 'files' | 'diff' | 'isCut'>> {
  const counts = await gitOrFail(at, ['diff', '--numstat', '-z', '--no-renames', from, to, '--'], { timeout: LONG_TIME, signal })
  const { text, isCut } = await git(at, ['diff', from, to, '--'], { mostOutput: LONGEST_DIFF, timeout: LONG_TIME, signal })
  const files = counts.text.split('\0').flatMap((entry) => {
    const [, added, deleted, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(entry) ?? []
    if (added === undefined || deleted === undefined || path === undefined) return []
    return [{ path, added: added === '-' ? null : Number(added), deleted: deleted === '-' ? null : Number(deleted) }]
  })
  return { files, diff: text, isCut }
}

/** The branch goes on to the reverts all at once, or not at all. No abort from here on: it is done in a moment. */
async function takeOver({ at, head: before }: Ready, { plan, head }: Reverted): Promise<RollbackResult> {
  refuseWith(plan)
  const backup = backupName()
  await keep(at, backup, before)
  const args = ['merge', '--ff-only', '--no-stat', '--quiet', '--no-autostash', '--no-verify-signatures', '--no-overwrite-ignore', head]
  const answer = await git(at, args, { environment: { GIT_REFLOG_ACTION: 'bridgedeck rollback' }, timeout: LONG_TIME })
  if (answer.code !== 0) {
    throw new AppError('CONFLICT', `Nothing was rolled back: the repository changed meanwhile, or a file is in the way. ${answer.words.trim()}`.slice(0, 1800), { hint: 'Look again at what would change.' })
  }
  const { text } = await gitOrFail(at, ['rev-list', `${before}..${head}`])
  return { backup, changesBackup: null, head, commits: text.split('\n').filter(Boolean) }
}

function refuseWith({ obstacles }: RollbackPlan): void {
  const [first, ...more] = obstacles
  if (first !== undefined) throw new AppError('CONFLICT', `Nothing was rolled back. ${first}`, more.length === 0 ? {} : { hint: more.join(' ').slice(0, 2000) })
}

const backupName = (): string => `refs/bridgedeck/backup/${new Date().toISOString().replace(/[-:.]/g, '')}`

/** Makes a ref that is not there yet. */
const keep = (at: TrustedFolder, name: string, commit: string) => gitOrFail(at, ['update-ref', '-m', 'bridgedeck backup', '--create-reflog', name, commit, '0'.repeat(commit.length)])

type ResetStep = Exclude<GitStep, { kind: 'revert' }>

interface PlannedReset {
  readonly plan: RollbackPlan
  readonly target: string
}

async function planReset({ at, repository, head }: Ready, step: ResetStep, signal: AbortSignal | undefined): Promise<PlannedReset> {
  let target = head
  const refused = (obstacle: string): PlannedReset => ({ plan: { commits: [], undone: [], files: [], diff: '', isCut: false, obstacles: [obstacle] }, target })
  if (step.kind === 'reset') {
    const { found, obstacles } = await resolveCommits(at, [step.commit], signal)
    if (found[0] === undefined) return refused(obstacles[0] ?? 'The commit is not known.')
    target = found[0]
    if ((await notInHead(at, [target], signal)).size > 0) return refused(`Commit ${short(target)} is not part of what is checked out.`)
  }
  // Whether a submodule is changed, git would ask by that one's own settings.
  const { text } = await gitOrFail(at, ['ls-files', '--stage', '-z'], { mostOutput: 256 * 1024 * 1024, timeout: LONG_TIME, signal })
  if (/(?:^|\0)160000 /.test(text)) return refused('The repository has submodules, whose changes could not be kept: roll back with git itself.')
  const dropped = (await gitOrFail(at, ['rev-list', '--topo-order', `--max-count=${MOST_COMMITS}`, `${target}..${head}`], { signal })).text.split('\n').filter(Boolean)
  const paths = await gitOrFail(at, ['diff', '--name-only', '-z', target, '--'], { timeout: LONG_TIME, signal })
  const filtered = await filteredFiles(at, paths.bytes, signal)
  if (filtered.length > 0) return refused(filterObstacle(filtered))
  // A reset leaves what git does not know where it is.
  const tree = await workTreeAsTree(at, repository, step.kind === 'reset' ? '--update' : '--all', signal)
  const plan = { commits: await describeCommits(at, dropped, signal), undone: [], ...(await differenceOf(at, tree, target, signal)), obstacles: [] }
  return { plan, target }
}

/** The work tree as a tree of git, by way of an index of its own: neither the index nor any ref is touched. */
async function workTreeAsTree(at: TrustedFolder, { gitFolder }: Repository, what: '--all' | '--update', signal?: AbortSignal): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-index-'))
  try {
    const index = join(folder, 'index')
    await copyFile(join(gitFolder, 'index'), index).catch(() => undefined)
    const options = { environment: { GIT_INDEX_FILE: index }, timeout: LONG_TIME, signal }
    await gitOrFail(at, ['add', what, '--', ':/'], options)
    return (await gitOrFail(at, ['write-tree'], options)).text.trim()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function reset({ at, repository, head }: Ready, step: ResetStep, { plan, target }: PlannedReset): Promise<RollbackResult> {
  refuseWith(plan)
  const backup = backupName()
  await keep(at, backup, head)
  const changesBackup = await keepChanges(at, repository, head, `${backup}-changes`)
  await gitOrFail(at, ['reset', '--quiet', '--hard', target], { timeout: LONG_TIME })
  if (step.kind === 'discard') await gitOrFail(at, ['clean', '--quiet', '--force', '-d'], { timeout: LONG_TIME })
  return { backup, changesBackup, head: target, commits: [] }
}

/** In the form of a stash, with what git does not know among the files. */
async function keepChanges(at: TrustedFolder, repository: Repository, head: string, name: string): Promise<string | null> {
  const { changed, untracked } = await readWorkTree(at)
  if (changed.length + untracked.length === 0) return null
  const commit = async (tree: string, parents: readonly string[], message: string) =>
    (await gitOrFail(at, ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-m', message, tree], { environment: bridgedeck })).text.trim()
  // An index with conflicts in it makes no tree.
  const staged = await git(at, ['write-tree'])
  const index = await commit(staged.code === 0 ? staged.text.trim() : `${head}^{tree}`, [head], 'The index before a rollback')
  const tree = await workTreeAsTree(at, repository, '--all')
  await keep(at, name, await commit(tree, [head, index], 'What was not committed before a rollback'))
  return name
}
