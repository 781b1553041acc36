/** All texts of commits are untrusted. */
import { AppError } from '@shared/contract/errors'
import { differenceOf, type Difference } from './difference'
import { gitOrFail } from './git'
import { findCommits, findRepository, type Repository } from './repository'
import type { TrustedFolder } from './trustedFolder'

const MAX_SUBJECT_CHARACTERS = 200
const MAX_AUTHOR_CHARACTERS = 100

export interface CommitInfo {
  readonly commit: string
  readonly parents: readonly string[]
  readonly author: string
  /** ms since 1970, when it was committed. */
  readonly time: number
  readonly subject: string
}

const listing = ['log', '-z', '--encoding=UTF-8', '--format=%H%x00%P%x00%an%x00%ct%x00%s']
const FIELDS = 5

function readListing(text: string): CommitInfo[] {
  const values = text.split('\0')
  return Array.from({ length: Math.floor(values.length / FIELDS) }, (_, index) => {
    const [commit = '', parents = '', author = '', seconds, subject = ''] = values.slice(FIELDS * index)
    return {
      commit,
      parents: parents.split(' ').filter(Boolean),
      author: author.slice(0, MAX_AUTHOR_CHARACTERS),
      time: Number(seconds) * 1000,
      subject: subject.slice(0, MAX_SUBJECT_CHARACTERS),
    }
  })
}

export async function describeCommits(
  at: TrustedFolder,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<CommitInfo[]> {
  if (commits.length === 0) return []
  const input = `${commits.join('\n')}\n`
  return readListing((await gitOrFail(at, [...listing, '--no-walk=unsorted', '--stdin'], { input, signal })).text)
}

/**
 * Names are hashes or prefixes; those that are unknown or ambiguous are left out.
 * @throws AppError NOT_FOUND where there is no repository
 */
export async function findAndDescribe(
  at: TrustedFolder,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<CommitInfo[]> {
  await requireRepository(at, signal)
  const found = [...(await findCommits(at, names, signal)).values()].filter((commit) => commit !== null)
  return describeCommits(at, [...new Set(found)], signal)
}

/** When commits were made, ms since 1970; null on a side without an end. */
export interface CommitTimes {
  readonly from: number | null
  readonly to: number | null
}

/**
 * Newest first.
 * @throws AppError NOT_FOUND where there is no repository
 */
export async function listCommits(
  at: TrustedFolder,
  { from, to }: CommitTimes,
  count: number,
  signal?: AbortSignal,
): Promise<CommitInfo[]> {
  const { head } = await requireRepository(at, signal)
  if (head === null) return []
  // Git keeps seconds.
  const seconds = (time: number) => `@${Math.floor(time / 1000)} +0000`
  const limits = [
    ...(from === null ? [] : [`--since=${seconds(from)}`]),
    ...(to === null ? [] : [`--until=${seconds(to)}`]),
  ]
  return readListing(
    (await gitOrFail(at, [...listing, `--max-count=${count}`, ...limits, head, '--', '.'], { signal })).text,
  )
}

export interface CommitWithDifference extends CommitInfo {
  readonly body: string
  /** To its first parent; for a root commit, to the empty tree. */
  readonly difference: Difference
}

/**
 * @param name hash or prefix
 * @throws AppError NOT_FOUND where there is no repository or no such commit, INVALID when the name is ambiguous
 */
export async function readCommit(at: TrustedFolder, name: string, signal?: AbortSignal): Promise<CommitWithDifference> {
  const { isShallow } = await requireRepository(at, signal)
  const found = (await findCommits(at, [name], signal)).get(name)
  if (found === undefined)
    throw new AppError('INVALID', `“${name.slice(0, 60)}” is not a commit hash, or matches several commits.`)
  const [info] = found === null ? [] : await describeCommits(at, [found], signal)
  if (!info)
    throw new AppError('NOT_FOUND', `Commit ${name.slice(0, 12)} is not in the repository.`, {
      hint: isShallow
        ? 'The clone has only a part of the history; git fetch --unshallow gets the rest.'
        : 'It was never made, or removed from the history since.',
    })
  const { text: body } = await gitOrFail(
    at,
    ['log', '--no-walk', '--encoding=UTF-8', '--format=%b', info.commit, '--'],
    { signal },
  )
  const difference = await differenceOf(at, info.parents[0] ?? (await emptyTree(at, signal)), info.commit, signal)
  return { ...info, body: body.trim(), difference }
}

/** The hash differs between SHA-1 and SHA-256 repositories; git knows the tree without storing it. */
export async function emptyTree(at: TrustedFolder, signal: AbortSignal | undefined): Promise<string> {
  return (await gitOrFail(at, ['hash-object', '-t', 'tree', '--stdin'], { input: '', signal })).text.trim()
}

export async function requireRepository(at: TrustedFolder, signal: AbortSignal | undefined): Promise<Repository> {
  const repository = await findRepository(at, signal)
  if (!repository) throw new AppError('NOT_FOUND', 'The folder is in no git repository.', { hint: 'Set up git first.' })
  return repository
}
