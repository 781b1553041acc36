/** In trusted folders only, as git runs in no other. Times are ms since 1970. */
import { z } from 'zod'
import { isCommitName } from '../commitName'
import { bridgeCommand } from './define'
import { MAX_TEXT_CHARACTERS } from './fact'
import { momentTime, oneRun } from './orchestration'

export const MAX_COMMITS = 50
const MAX_COMMIT_FILES = 500
const MAX_DIFF_CHARACTERS = 200_000

const count = z.int().min(0)
const hash = z.string().regex(/^[0-9a-f]{40,64}$/)
const commitName = z.string().refine(isCommitName, { error: 'a commit is named by 4 to 64 hexadecimal digits' })

const commitSchema = z.strictObject({
  commit: hash,
  author: z.string().max(100),
  time: z.number(),
  subject: z.string().max(200),
})
export type Commit = z.infer<typeof commitSchema>

export const differenceSchema = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: z.string().max(1000),
        added: count.nullable(),
        deleted: count.nullable(),
      }),
    )
    .max(MAX_COMMIT_FILES),
  moreFiles: count,
  /** Unified; the diff of a commit is to its first parent. */
  diff: z.string().max(MAX_DIFF_CHARACTERS),
  isCut: z.boolean(),
})
export type DifferenceDetails = z.infer<typeof differenceSchema>

export const commitDetailsSchema = commitSchema.extend({
  parents: z.array(hash).max(100),
  body: z.string().max(MAX_TEXT_CHARACTERS),
  ...differenceSchema.shape,
})
export type CommitDetails = z.infer<typeof commitDetailsSchema>

export const commitsCommands = {
  /**
   * Commits that changed the run's folder in a span of time, the newest first; null is no limit.
   * @throws FORBIDDEN when the folder is restricted, NOT_FOUND where there is no repository
   */
  'projects.commits': bridgeCommand({
    effect: 'reads',
    input: oneRun.extend({ from: momentTime.nullable(), to: momentTime.nullable() }),
    output: z.strictObject({ commits: z.array(commitSchema).max(MAX_COMMITS), hasMore: z.boolean() }),
    deadline: 20_000,
  }),
  'projects.namedCommits': bridgeCommand({
    effect: 'reads',
    input: oneRun.extend({ names: z.array(commitName).max(MAX_COMMITS) }),
    output: z.strictObject({ commits: z.array(commitSchema).max(MAX_COMMITS) }),
    deadline: 20_000,
  }),
  /** @throws FORBIDDEN when the folder is restricted, NOT_FOUND, INVALID when the name fits several */
  'projects.commit': bridgeCommand({
    effect: 'reads',
    input: oneRun.extend({ commit: commitName }),
    output: commitDetailsSchema,
    deadline: 30_000,
  }),
  /**
   * Commits that are not there are left out.
   * @throws FORBIDDEN when the folder is restricted, NOT_FOUND, CONFLICT when one builds on changes that others made in
   * between
   */
  'projects.difference': bridgeCommand({
    effect: 'reads',
    input: oneRun.extend({ commits: z.array(commitName).min(1).max(MAX_COMMITS) }),
    output: differenceSchema,
    deadline: 60_000,
  }),
} as const
