import { bounded } from '@shared/contract/bounded'
import {
  commitDetailsSchema,
  differenceSchema,
  MAX_COMMITS,
  type Commit,
  type DifferenceDetails,
} from '@shared/contract/commits'
import { combinedDifference } from '../../git/combined'
import { findAndDescribe, listCommits, readCommit, type CommitInfo } from '../../git/commits'
import type { Difference } from '../../git/difference'
import type { TrustedFolder } from '../../git/trustedFolder'
import type { Handlers } from '../../rpc/commands'

/** @throws AppError FORBIDDEN when the project is restricted, NOT_FOUND */
type FolderOfRun = (project: number, run: string) => TrustedFolder

export const createCommitHandlers = (
  folderOf: FolderOfRun,
): Pick<Handlers, 'projects.commits' | 'projects.namedCommits' | 'projects.commit' | 'projects.difference'> => ({
  'projects.commits': async ({ project, run, ...times }, signal) => {
    const found = await listCommits(folderOf(project, run), times, MAX_COMMITS + 1, signal)
    return { commits: found.slice(0, MAX_COMMITS).map(shownCommit), hasMore: found.length > MAX_COMMITS }
  },
  'projects.namedCommits': async ({ project, run, names }, signal) => ({
    commits: (await findAndDescribe(folderOf(project, run), names, signal)).map(shownCommit),
  }),
  'projects.commit': async ({ project, run, commit: name }, signal) => {
    const { parents, body, difference, ...commit } = await readCommit(folderOf(project, run), name, signal)
    const details = { ...shownCommit(commit), parents: [...parents], body, ...shownDifference(difference) }
    return bounded(commitDetailsSchema, details).value
  },
  'projects.difference': async ({ project, run, commits }, signal) =>
    shownDifference(await combinedDifference(folderOf(project, run), commits, signal)),
})

function shownDifference({ files, diff, isCut }: Difference): DifferenceDetails {
  const { value } = bounded(differenceSchema, { files: [...files], diff, isCut, moreFiles: 0 })
  return {
    ...value,
    moreFiles: files.length - value.files.length,
    isCut: isCut || value.diff.length < diff.length,
  }
}

const shownCommit = ({ commit, author, time, subject }: Omit<CommitInfo, 'parents'>): Commit => ({
  commit,
  author,
  time,
  subject,
})
