/** Work trees of agents that work at once, one for each, kept beside the run's files until their branches are merged or thrown away. */
import { z } from 'zod'
import { storedJson } from './storedJson'
import { worktreeSchema } from './worktree'

const laneWorktreesSchema = z.array(
  z.object({
    /** What is done in it: a batch's prompt. */
    lane: z.string(),
    /** That names the batch. */
    place: z.string(),
    worktree: worktreeSchema,
    /** Why the person has to merge it or throw it away; null while the run still needs it. */
    left: z.string().nullable(),
    /** Its branch is merged; the work tree goes once the run's files say what came of it. */
    isMerged: z.boolean(),
  }),
)
export type LaneWorktree = z.infer<typeof laneWorktreesSchema>[number]

/** The name under which the sidecar keeps them. */
const LANES = 'lane worktrees'

/** The action that merges one. */
export const MERGE_LANE = 'merge-lane'

interface Remembered {
  readonly get: (name: string) => string | undefined
}

export const laneWorktrees = (remembered: Remembered): readonly LaneWorktree[] =>
  storedJson(remembered.get(LANES), laneWorktreesSchema) ?? []

/** What is remembered with these. */
export const keepLanes = (lanes: readonly LaneWorktree[]): Readonly<Record<string, string | null>> => ({
  [LANES]: lanes.length === 0 ? null : JSON.stringify(lanes),
})
