import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RepositoryState } from '@shared/turnRecord'
import { LANE_BRANCHES } from '@shared/worktree'
import { failure, git, gitOrFail } from './git'
import { WORK_TREE_LIMIT_MS } from './gitProcess'
import { findRepository } from './repository'
import type { TrustedFolder } from './trustedFolder'

const MAX_TIPS = 200
const MAX_FILES = 200

const MAX_NEW_COMMITS = 1_000

const branches = ['refs/heads', 'refs/remotes']

const MAX_REFLOG_ENTRIES = 20_000

const noRepository: RepositoryState = { head: null, branch: null, tips: [], uncommitted: [] }

const hasCommits = ({ head, tips }: RepositoryState): boolean => head !== null || tips.length > 0

export const isRepositoryGone = (before: RepositoryState, after: RepositoryState): boolean =>
  hasCommits(before) && !hasCommits(after)

/**
 * @param ignored folders below this one
 * @throws AppError INVALID when git cannot read the repository
 */
export async function readRepositoryState(
  at: TrustedFolder,
  ignored: readonly string[] = [],
  signal?: AbortSignal,
): Promise<RepositoryState> {
  const excluded = ignored.length === 0 ? [] : ['--', ':/', ...ignored.map((folder) => `:(exclude,literal)${folder}`)]
  const status = ['status', '--porcelain=v2', '--branch', '-z', '--no-renames', '--untracked-files=all']
  // Read before HEAD, so that a commit made in between is not taken for known.
  const refs = await git(
    at,
    ['for-each-ref', '--sort=-committerdate', `--count=${MAX_TIPS}`, '--format=%(objectname) %(refname)', ...branches],
    { signal },
  )
  const answer = await git(at, [...status, '--ignore-submodules=all', ...excluded], {
    limitMs: WORK_TREE_LIMIT_MS,
    signal,
  })
  const { code, text, message } = answer
  if (code !== 0 && /not a git repository|must be run in a work tree/.test(message)) return noRepository
  if (code !== 0) throw failure(status, answer)
  if (refs.code !== 0) throw failure(['for-each-ref'], refs)
  const entries = text.split('\0').filter(Boolean)
  const header = (name: string) =>
    entries.find((entry) => entry.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length) ?? null
  const [oid, branch] = [header('oid'), header('head')]
  return {
    head: oid === '(initial)' ? null : oid,
    branch: branch === '(detached)' ? null : branch,
    tips: [...new Set(refs.text.split('\n').flatMap(knownTip))],
    uncommitted: entries
      .filter((entry) => !entry.startsWith('# '))
      .map(pathOf)
      .slice(0, MAX_FILES),
  }
}

/** What an agent commits in its own work tree is not somebody else's commit on another branch. */
function knownTip(line: string): string[] {
  const [commit = '', ref = ''] = line.split(' ')
  return commit === '' || ref.startsWith(`refs/heads/${LANE_BRANCHES}`) ? [] : [commit]
}

/** The path comes after 1, 8 or 10 fields, by the kind of entry. */
function pathOf(entry: string): string {
  const fields = entry.startsWith('?') ? 1 : entry.startsWith('u') ? 10 : 8
  return entry.split(' ').slice(fields).join(' ')
}

export interface NewCommits {
  readonly made: readonly string[]
  readonly elsewhere: readonly string[]
  readonly left: readonly string[]
}

/**
 * Commits that were already on a branch are not new when it is checked out. Those of remote branches are other
 * people's, unless they were committed here.
 */
export async function commitsBetween(
  at: TrustedFolder,
  before: RepositoryState,
  after: RepositoryState,
  signal?: AbortSignal,
): Promise<NewCommits> {
  if (!hasCommits(after)) return { made: [], elsewhere: [], left: [] }
  const list = async (wanted: readonly string[], known: readonly string[]): Promise<string[]> => {
    const open = wanted.filter((commit) => !known.includes(commit))
    if (open.length === 0) return []
    // One commit that is gone must not hide the others.
    const args = [
      'rev-list',
      '--ignore-missing',
      '--topo-order',
      '--reverse',
      `--max-count=${MAX_NEW_COMMITS}`,
      '--stdin',
    ]
    const input = [...open, ...known.map((commit) => `^${commit}`), ''].join('\n')
    return (await gitOrFail(at, args, { input, signal })).text.split('\n').filter(Boolean)
  }
  const head = (state: RepositoryState) => (state.head === null ? [] : [state.head])
  const known = [...new Set([...head(before), ...before.tips])]
  const made = await list(head(after), known)
  const elsewhere = await list(after.tips, [...known, ...head(after)])
  const left = await list(head(before), head(after))
  if (made.length === 0 && elsewhere.length === 0) return { made, elsewhere, left }
  const fetched = new Set(await list(await remoteTips(at, signal), known))
  const here = fetched.size === 0 ? fetched : await committedHere(at, signal)
  const isOwn = (commit: string) => !fetched.has(commit) || here.has(commit)
  return { made: made.filter(isOwn), elsewhere: elsewhere.filter(isOwn), left }
}

const remoteTips = async (at: TrustedFolder, signal: AbortSignal | undefined): Promise<string[]> =>
  (await gitOrFail(at, ['for-each-ref', '--format=%(objectname)', 'refs/remotes'], { signal })).text
    .split('\n')
    .filter(Boolean)

const madeHere =
  /^(?:commit|cherry-pick|revert|am)\b|\((?:pick|squash|fixup|reword|edit|continue|merge)\)|Merge made by/

async function committedHere(at: TrustedFolder, signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
  const args = ['log', '--walk-reflogs', `--max-count=${MAX_REFLOG_ENTRIES}`, '--format=%H %gs', 'HEAD', '--branches']
  const lines = (await gitOrFail(at, args, { signal })).text.split('\n')
  return new Set(lines.flatMap((line) => (madeHere.test(line.slice(line.indexOf(' ') + 1)) ? line.split(' ', 1) : [])))
}

/**
 * @param paths relative to the top of the work tree
 * @param time ms since 1970
 */
export async function hasFileSince(at: TrustedFolder, paths: readonly string[], time: number): Promise<boolean> {
  const repository = paths.length === 0 ? null : await findRepository(at)
  if (!repository) return false
  const times = await Promise.all(
    paths.map((path) =>
      stat(join(repository.top, path)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  return times.some((written) => written >= time)
}
