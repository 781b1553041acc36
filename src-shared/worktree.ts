/** The work tree that Bridgedeck made for a run's agents, and keeps beside the run's files until the person merges it or throws it away. */
import { z } from 'zod'
import { storedJson } from './storedJson'

export const worktreeSchema = z.object({
  /** Stands for the project's folder: absolute, outside of it. */
  root: z.string(),
  /** Top of the repository, relative to the project, with `/`; empty for its own folder. */
  top: z.string(),
  branch: z.string(),
  /** What was checked out in the project when it was made; null where that was no branch. */
  into: z.string().nullable(),
  /** The commit that it started from. */
  base: z.string(),
  /** ms since 1970 */
  since: z.number(),
})
export type Worktree = z.infer<typeof worktreeSchema>

/** The names under which the sidecar keeps it, and whether the next start makes one. */
export const WORKTREE = 'worktree'
export const WORKTREE_WANTED = 'worktree wanted'
/** The same for when a run in one finished, ms since 1970. */
export const WORKTREE_DONE = 'worktree done'

/** The action of a run that ends its worktree so. */
export const MERGE_WORKTREE = 'merge-worktree'

/** How the branches of all of them begin. */
export const WORKTREE_BRANCHES = 'bridgedeck/'
/** The same for those of agents that work at once. */
export const LANE_BRANCHES = `${WORKTREE_BRANCHES}lanes/`

interface Remembered {
  readonly get: (name: string) => string | undefined
}

export function runWorktree(remembered: Remembered): Worktree | undefined {
  return storedJson(remembered.get(WORKTREE), worktreeSchema)
}
