import { join } from 'node:path'
import { toFailure } from '@shared/contract/errors'
import { counted } from '@shared/countedText'
import { keepLanes, laneWorktrees, type LaneWorktree } from '@shared/laneWorktree'
import { SerialQueue } from '@shared/serialQueue'
import { LANE_BRANCHES, WORKTREE_BRANCHES } from '@shared/worktree'
import { mergeBranch } from '../git/merge'
import { readWorkTree } from '../git/repository'
import { readRepositoryState } from '../git/repositoryState'
import { rollBack } from '../git/rollback'
import type { TrustedFolder } from '../git/trustedFolder'
import { ensureWorktree, planWorktree, removeWorktree, tipOf, withinWorktree, worktreeFolder } from '../git/worktree'
import type { LoopWork } from './loop'
import type { Elsewhere } from './treeAgents'
import { TurnsTogether } from './turnsTogether'

interface LaneTreesOptions {
  readonly work: Pick<
    LoopWork,
    'own' | 'place' | 'folder' | 'trusted' | 'log' | 'remembered' | 'holds' | 'signal' | 'workFolder'
  >
  /** Below the run's folder: what lies there is no work of an agent, and stays as it is in a merge. */
  readonly ignored: readonly string[]
}

interface LaneTree {
  readonly at: TrustedFolder
  readonly together: TurnsTogether
}

export interface LaneState {
  readonly at: TrustedFolder
  readonly span: {
    readonly before: { readonly head: string | null; readonly branch: string | null }
    readonly after: { readonly head: string | null; readonly branch: string | null }
    readonly uncommitted: string[]
  }
}

const nobody: Elsewhere = { agents: () => [], isAtWork: () => false, watch: () => () => undefined }

/**
 * Each agent has its own work tree and branch. A tree is remembered before it is made and until its branch is merged or
 * discarded, so that a killed host finds it again.
 */
export class LaneTrees {
  readonly #options: LaneTreesOptions
  readonly #queue = new SerialQueue()

  constructor(options: LaneTreesOptions) {
    this.#options = options
  }

  /**
   * To be called before the agents of a batch start.
   * @param continues a batch that an earlier start began; else what is left of one is the person's
   * @throws AppError UNSUPPORTED where the repository can have no work trees
   */
  async begin(continues: boolean): Promise<void> {
    const { work, ignored } = this.#options
    await planWorktree(work.trusted(), { root: work.own, name: 'lanes' }, work.signal)
    if (continues) return
    await this.settle('The batch was begun anew.')
    const { uncommitted } = await readRepositoryState(work.trusted(), ignored, work.signal)
    if (uncommitted.length > 0)
      work.log(
        'warn',
        `The agents’ worktrees start from the last commit: changes in ${counted(uncommitted.length, 'file')} are not in them.`,
      )
  }

  async workOf<Work extends LoopWork>(place: string, lane: string, work: Work): Promise<Work> {
    const { at, together } = await this.#queue.run(() => this.#open(place, lane))
    const workFolder = at.path
    return together.observed({
      ...work,
      workFolder,
      spawn: (role, request, hooks) => work.spawn(role, request, { ...hooks, workFolder }),
      adopt: (role, run, request, hooks) => work.adopt(role, run, request, { ...hooks, workFolder }),
    })
  }

  async close(place: string): Promise<void> {
    for (const lane of this.#lanes.filter((lane) => lane.place === place)) await this.#treeOf(lane).together.close()
  }

  async stateOf(place: string, name: string): Promise<LaneState | null> {
    const lane = this.#find(place, name)
    if (!lane || !(await worktreeFolder(lane.worktree))) return null
    const { at } = this.#treeOf(lane)
    const { head, branch, uncommitted } = await readRepositoryState(at, this.#options.ignored)
    return { at, span: { before: { head: lane.worktree.base, branch }, after: { head, branch }, uncommitted } }
  }

  /**
   * Doing it again changes nothing.
   * @returns why it cannot be merged
   */
  async merge(place: string, name: string): Promise<string | null> {
    const { work, ignored } = this.#options
    const lane = this.#find(place, name)
    if (!lane) return null
    const { worktree } = lane
    try {
      await this.#commitLeft(lane)
      const kept = ignored.map((path) => (work.folder === '' ? path : `${work.folder}/${path}`))
      const obstacles = await mergeBranch(work.trusted(), { kind: 'merge', worktree, kept })
      if (obstacles.length > 0) return this.#leave(lane, obstacles.join(' '))
      this.#replace(lane, { ...lane, isMerged: true })
      work.log('info', `Merged ${worktree.branch}.`)
      return null
    } catch (error) {
      return this.#leave(lane, toFailure(error).message)
    }
  }

  /** Only merged and unused trees are removed; all others are left to the person. */
  async settle(why: string): Promise<void> {
    const { work } = this.#options
    for (const lane of this.#lanes.filter(({ left }) => left === null)) {
      await this.#treeOf(lane).together.close()
      if (!lane.isMerged) await this.#commitLeft(lane).catch((error: unknown) => this.#warn(lane, error))
      const isThere = await worktreeFolder(lane.worktree)
      const isEmpty =
        (await tipOf(work.trusted(), lane.worktree)) === lane.worktree.base &&
        (!isThere || (await changedIn(isThere)).length === 0)
      if (!lane.isMerged && !isEmpty) {
        this.#leave(lane, why)
        continue
      }
      await removeWorktree(work.trusted(), lane.worktree)
      this.#replace(lane, null)
    }
  }

  has(place: string): boolean {
    return this.#lanes.some((lane) => lane.place === place && lane.left === null)
  }

  get hasLeft(): boolean {
    return this.#lanes.some(({ left }) => left !== null)
  }

  get #lanes(): readonly LaneWorktree[] {
    return laneWorktrees(this.#options.work.holds)
  }

  #find(place: string, name: string): LaneWorktree | undefined {
    return this.#lanes.find(({ lane, place: of, left }) => lane === name && of === place && left === null)
  }

  #replace({ worktree }: LaneWorktree, by: LaneWorktree | null): void {
    const lanes = this.#lanes.flatMap((lane) => (lane.worktree.branch !== worktree.branch ? lane : (by ?? [])))
    this.#options.work.holds.set(keepLanes(lanes))
  }

  #leave(lane: LaneWorktree, why: string): string {
    const { branch } = lane.worktree
    this.#replace(lane, { ...lane, left: why.slice(0, 2_000) })
    this.#options.work.log('warn', `What ${lane.lane} did is on ${branch}: ${why}`)
    return why
  }

  #warn({ worktree }: LaneWorktree, error: unknown): void {
    this.#options.work.log('warn', `Cannot commit what is left on ${worktree.branch}: ${toFailure(error).message}`)
  }

  async #open(place: string, name: string): Promise<LaneTree> {
    const { work } = this.#options
    const known = this.#find(place, name)
    const stamp = new Date()
      .toISOString()
      .replace(/[-:.Z]/g, '')
      .replace('T', '-')
    const own = `${stamp}-${name}`
    const planned = { root: join(work.own, 'lanes', own), name: LANE_BRANCHES.slice(WORKTREE_BRANCHES.length) + own }
    const worktree = known?.worktree ?? (await planWorktree(work.trusted(), planned, work.signal))
    const lane = known ?? { lane: name, place, worktree, left: null, isMerged: false }
    if (!known) work.holds.set(keepLanes([...this.#lanes, lane]))
    await ensureWorktree(work.trusted(), worktree, work.signal)
    work.log('info', `${name} works on ${worktree.branch}.`)
    return this.#treeOf(lane)
  }

  #treeOf({ worktree, lane, place }: LaneWorktree): LaneTree {
    const { work, ignored } = this.#options
    const trusted = () => withinWorktree(work.trusted(), worktree)
    const together = new TurnsTogether({
      work: { ...work, trusted, elsewhere: nobody },
      place: `${place} ${lane}`,
      ignored,
    })
    return { at: trusted(), together }
  }

  /** Commits what its agent left uncommitted: a merge would lose it. */
  async #commitLeft({ worktree, lane }: LaneWorktree): Promise<void> {
    const there = await worktreeFolder(worktree)
    const left = there ? await changedIn(there) : []
    if (!there || left.length === 0) return
    await rollBack(there, { kind: 'commit', files: left, message: `Left by ${lane}` })
    this.#options.work.log('info', `Committed what ${lane} left in ${counted(left.length, 'file')}.`)
  }
}

async function changedIn(there: TrustedFolder): Promise<string[]> {
  const { changed, untracked } = await readWorkTree(there)
  return [...changed, ...untracked]
}
