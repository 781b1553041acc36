import { z } from 'zod'
import { storedJson } from './storedJson'

export const worktreeSchema = z.object({
  /** Stands for the project's folder: absolute, outside of it. */
  root: z.string(),
  /** Top of the repository, relative to the project, with `/`; empty for its own folder. */
  top: z.string(),
  branch: z.string(),
  /** The branch checked out in the project when it was made; null where there was none. */
  into: z.string().nullable(),
  base: z.string(),
  /** ms since 1970 */
  since: z.number(),
})
export type Worktree = z.infer<typeof worktreeSchema>

export const WORKTREE = 'worktree'
export const WORKTREE_WANTED = 'worktree wanted'
/** When a run in a worktree finished, in ms since 1970, is kept under this name. */
export const WORKTREE_DONE = 'worktree done'

export const MERGE_WORKTREE = 'merge-worktree'

export const WORKTREE_BRANCHES = 'bridgedeck/'
export const LANE_BRANCHES = `${WORKTREE_BRANCHES}lanes/`

interface Remembered {
  readonly get: (name: string) => string | undefined
}

export function runWorktree(remembered: Remembered): Worktree | undefined {
  return storedJson(remembered.get(WORKTREE), worktreeSchema)
}
