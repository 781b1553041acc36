import { AppError } from '@shared/contract/errors'
import { bridgedeck } from './backup'
import { describeCommits, emptyTree, requireRepository, type CommitInfo } from './commits'
import { differenceOf, type Difference } from './difference'
import { git, gitOrFail } from './git'
import { findCommits, newestFirst } from './repository'
import type { TrustedFolder } from './trustedFolder'

/**
 * @param names hashes or prefixes; unknown ones are left out
 * @throws AppError NOT_FOUND without a repository or any of the commits, CONFLICT where one builds on changes of others
 * between
 */
export async function combinedDifference(
  at: TrustedFolder,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<Difference> {
  await requireRepository(at, signal)
  const found = [...(await findCommits(at, names, signal)).values()].filter((commit) => commit !== null)
  const commits = (await describeCommits(at, await newestFirst(at, [...new Set(found)], signal), signal)).reverse()
  const [first, ...later] = commits
  if (!first) throw new AppError('NOT_FOUND', 'None of these commits is in the repository.')
  const base = first.parents[0] ?? (await emptyTree(at, signal))
  let [tree, last] = [`${first.commit}^{tree}`, first.commit]
  for (const next of later) {
    tree =
      next.parents[0] === last && tree === `${last}^{tree}`
        ? `${next.commit}^{tree}`
        : await onTop(at, tree, next, signal)
    last = next.commit
  }
  return differenceOf(at, base, tree, signal)
}

async function onTop(
  at: TrustedFolder,
  tree: string,
  { commit, parents: [parent] }: CommitInfo,
  signal: AbortSignal | undefined,
): Promise<string> {
  const commitOf = async (of: string, ...parents: string[]) =>
    (
      await gitOrFail(
        at,
        ['commit-tree', ...parents.flatMap((name) => ['-p', name]), '-m', 'A part of a difference', of],
        {
          environment: bridgedeck,
          signal,
        },
      )
    ).text.trim()
  const before = await commitOf(parent === undefined ? await emptyTree(at, signal) : `${parent}^{tree}`)
  const [ours, theirs] = [await commitOf(tree, before), await commitOf(`${commit}^{tree}`, before)]
  const { code, text } = await git(at, ['merge-tree', '--write-tree', '--no-messages', ours, theirs], { signal })
  if (code === 0) return text.trim()
  throw new AppError('CONFLICT', `${commit.slice(0, 10)} builds on changes that are not among these commits.`, {
    hint: 'See the commits one by one.',
  })
}
