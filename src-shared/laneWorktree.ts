import { z } from 'zod'
import { storedJson } from './storedJson'
import { worktreeSchema } from './worktree'

const laneWorktreesSchema = z.array(
  z.object({
    lane: z.string(),
    place: z.string(),
    worktree: worktreeSchema,
    left: z.string().nullable(),
    /** Its branch is merged; the work tree is removed once the run's files tell the result. */
    isMerged: z.boolean(),
  }),
)
export type LaneWorktree = z.infer<typeof laneWorktreesSchema>[number]

const LANES = 'lane worktrees'

export const MERGE_LANE = 'merge-lane'

interface Remembered {
  readonly get: (name: string) => string | undefined
}

export const laneWorktrees = (remembered: Remembered): readonly LaneWorktree[] =>
  storedJson(remembered.get(LANES), laneWorktreesSchema) ?? []

export const keepLanes = (lanes: readonly LaneWorktree[]): Readonly<Record<string, string | null>> => ({
  [LANES]: lanes.length === 0 ? null : JSON.stringify(lanes),
})
