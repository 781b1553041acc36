import { MERGE_WORKTREE, runWorktree, WORKTREE, WORKTREE_DONE, type Worktree } from '@shared/worktree'
import type { RunNeed } from '@shared/contract/orchestration'
import type { Offer, Offers } from './edit/offer'
import type { Reading, RunFiles } from './format'
import { laneNeeds, laneOffers, lanesBefore } from './laneWorktrees'

interface WorktreeRules {
  readonly kept: (files: RunFiles) => readonly string[]
  /** These actions end the run, and so must come after its worktree. */
  readonly after?: readonly string[]
}

type Read<Details> = (files: RunFiles) => Reading<Details> | undefined

const isFinished = ({ remembered }: RunFiles): boolean => remembered.get(WORKTREE_DONE) !== undefined

export const withWorktreeNeed =
  <Details>(read: Read<Details>): Read<Details> =>
  (files) => {
    const reading = read(files)
    if (!reading || reading.view.archived) return reading
    const needs = [...finishedNeed(files), ...laneNeeds(files.remembered, sourceOf(files))]
    return { ...reading, view: { ...reading.view, needs: [...reading.view.needs, ...needs] } }
  }

function finishedNeed(files: RunFiles): RunNeed[] {
  const worktree = runWorktree(files.remembered)
  if (!worktree || !isFinished(files)) return []
  return [
    {
      kind: 'approval',
      options: [],
      unblocks: [],
      source: sourceOf(files),
      title: `The run is finished on ${worktree.branch}. Merge it into what is checked out, or throw it away.`,
      detail: `Its agents worked in ${worktree.root}.`,
      since: { value: Number(files.remembered.get(WORKTREE_DONE)), source: null },
    },
  ]
}

/** The marker may be a folder, which cannot be shown. */
const sourceOf = ({ candidate: { marker }, files }: RunFiles) => ({
  file: files.has(marker) ? marker : ([...files.keys()][0] ?? marker),
  line: 1,
})

export const withWorktreeOffers =
  (offers: (files: RunFiles) => Offers, { kept, after = [] }: WorktreeRules) =>
  (files: RunFiles): Offers => {
    const own = offers(files)
    const { remembered } = files
    const worktree = runWorktree(remembered)
    const because = worktree ? `The run’s work is on ${worktree.branch} still.` : lanesBefore(remembered)
    if (because === null || files.candidate.archived) return own
    const hasEnded = ({ name }: { readonly name: string }) => !after.includes(name)
    const refused = own.offers.filter((offer) => !hasEnded(offer))
    return {
      offers: [
        ...own.offers.filter(hasEnded),
        ...(worktree ? ends(files, worktree, kept(files)) : []),
        ...laneOffers(remembered, sourceOf(files), kept(files)),
      ],
      refusals: [
        ...own.refusals,
        ...refused.map(({ name, target }) => ({
          name,
          target,
          because,
          hint: 'Merge its worktree or throw it away first.',
        })),
      ],
    }
  }

function ends(files: RunFiles, worktree: Worktree, kept: readonly string[]): Offer[] {
  const { branch } = worktree
  const offer = (own: Pick<Offer, 'name' | 'title' | 'effect' | 'fields' | 'plan'>, answersNeed: boolean): Offer => ({
    ...own,
    target: '',
    source: sourceOf(files),
    answersNeed: answersNeed && isFinished(files),
  })
  const ended = { [WORKTREE]: null, [WORKTREE_DONE]: null }
  return [
    offer(
      {
        name: MERGE_WORKTREE,
        title: 'Merge the run’s work',
        fields: [],
        effect: `Merges ${branch} into what is checked out and removes the worktree. A conflict changes nothing. The run’s own state files stay as they are. Needs a trusted git repository.`,
        plan: () => ({
          summary: `Merged ${branch}`,
          changes: [],
          warnings: [],
          remember: ended,
          git: { kind: 'merge', worktree, kept },
        }),
      },
      true,
    ),
    offer(
      {
        name: 'throw-away-worktree',
        title: 'Throw the run’s work away',
        effect: `Removes the worktree and ${branch}. The commits are kept under refs/bridgedeck/kept. Needs a trusted git repository.`,
        fields: [],
        plan: () => ({
          summary: `Threw away ${branch}`,
          changes: [],
          remember: ended,
          warnings: ['The run’s files still say what its agents did. Roll its tasks back to have them done again.'],
          git: { kind: 'throw-away', worktree },
        }),
      },
      true,
    ),
    offer(
      {
        name: 'commit-worktree',
        title: 'Commit what is left in the worktree',
        effect: `Commits all changes in the worktree to ${branch}. Needs a trusted git repository.`,
        fields: [{ name: 'message', label: 'Message', kind: 'line', value: 'Left in the worktree' }],
        plan: (values) => ({
          summary: 'Committed what was left in the worktree',
          changes: [],
          warnings: [],
          git: { kind: 'commit', files: 'all', message: values.text('message') ?? 'Left in the worktree' },
        }),
      },
      false,
    ),
  ]
}
