import { listNames } from '@shared/listNames'
import { keepLanes, laneWorktrees, MERGE_LANE, type LaneWorktree } from '@shared/laneWorktree'
import type { RunNeed, ValueSource } from '@shared/contract/orchestration'
import { allOfBatches, batchesIn } from '@shared/runHold'
import { runWorktree } from '@shared/worktree'
import type { Offer } from './edit/offer'
import type { Remembered } from './format'

const everyLane = (remembered: Remembered): readonly LaneWorktree[] => [
  ...laneWorktrees(remembered),
  ...laneWorktrees(batchesIn(remembered)),
]

export const laneNeeds = (remembered: Remembered, source: ValueSource): RunNeed[] =>
  everyLane(remembered).flatMap(({ lane, worktree: { branch, root, since }, left }) => {
    if (left === null) return []
    return [
      {
        kind: 'approval',
        options: [],
        unblocks: [],
        source,
        title: `Merge what ${lane} did on ${branch}, or throw it away`,
        detail: `${left}\nIt worked in ${root}.`,
        since: { value: since, source: null },
      },
    ]
  })

export function lanesBefore(remembered: Remembered): string | null {
  const branches = everyLane(remembered).map(({ worktree }) => worktree.branch)
  return branches.length === 0 ? null : `Work of its agents is on ${listNames(branches)} still.`
}

export function laneOffers(remembered: Remembered, source: ValueSource, kept: readonly string[]): Offer[] {
  const within = runWorktree(remembered)
  const [own, ofBatches] = [laneWorktrees(remembered), laneWorktrees(batchesIn(remembered))]
  return [
    ...own.flatMap((lane) => ends(lane, source, kept, { within, remember: keepLanes(without(own, lane)) })),
    ...ofBatches.flatMap((lane) =>
      ends(lane, source, kept, { within: undefined, remember: allOfBatches(keepLanes(without(ofBatches, lane))) }),
    ),
  ]
}

const without = (lanes: readonly LaneWorktree[], lane: LaneWorktree) => lanes.filter((other) => other !== lane)

interface LaneEnd {
  readonly within: ReturnType<typeof runWorktree>
  readonly remember: Readonly<Record<string, string | null>>
}

function ends(
  { lane, worktree, left }: LaneWorktree,
  source: ValueSource,
  kept: readonly string[],
  { within, remember }: LaneEnd,
): Offer[] {
  const { branch } = worktree
  const common = { target: branch, fields: [], source, answersNeed: left !== null }
  const place = within ? { within } : {}
  return [
    {
      ...common,
      name: MERGE_LANE,
      title: `Merge what ${lane} did`,
      effect: `Merges ${branch} into what is checked out and removes its worktree. A conflict changes nothing. Needs a trusted git repository.`,
      plan: () => ({
        summary: `Merged ${branch}`,
        changes: [],
        warnings: [],
        remember,
        git: { kind: 'merge', worktree, kept, ...place },
      }),
    },
    {
      ...common,
      name: 'throw-away-lane',
      title: `Throw away what ${lane} did`,
      effect: `Removes the worktree and ${branch}. The commits are kept under refs/bridgedeck/kept. Needs a trusted git repository.`,
      plan: () => ({
        summary: `Threw away ${branch}`,
        changes: [],
        warnings: [],
        remember,
        git: { kind: 'throw-away', worktree, ...place },
      }),
    },
  ]
}
