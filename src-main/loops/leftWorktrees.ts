import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import type { Output } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { laneWorktrees } from '@shared/laneWorktree'
import { batchesIn } from '@shared/runHold'
import { runWorktree, type Worktree } from '@shared/worktree'
import { planRollback, rollBack } from '../git/rollback'
import type { TrustedFolder } from '../git/trustedFolder'
import { listWorktrees, type ListedWorktree } from '../git/worktree'
import type { SidecarStore } from '../storage/sidecar'
import type { Remembered } from './loop'
import { hasRepository } from './repository'

interface ProjectWorktrees {
  readonly repositories: readonly TrustedFolder[]
  readonly project: number
  readonly sidecar: SidecarStore
  readonly folder: string
}

interface FoundWorktree extends ListedWorktree {
  readonly at: TrustedFolder
  readonly run: string | null
}

async function findWorktrees(
  { repositories, project, sidecar, folder }: ProjectWorktrees,
  signal: AbortSignal,
): Promise<FoundWorktree[]> {
  const own = await realpath(folder).catch(() => folder)
  const runs = [...sidecar.ofProject(project)]
  const found = new Map<string, FoundWorktree>()
  for (const at of repositories)
    for (const worktree of (await hasRepository(at, signal)) ? await listWorktrees(at, signal) : []) {
      if (!worktree.path.startsWith(own + sep)) continue
      const [run = null] = runs.find(([, memory]) => branchesOf(memory).includes(worktree.branch)) ?? []
      found.set(worktree.path, { ...worktree, at, run })
    }
  return [...found.values()]
}

const branchesOf = (memory: Pick<Remembered, 'get'>): string[] =>
  [runWorktree(memory), ...[memory, batchesIn(memory)].flatMap(laneWorktrees).map(({ worktree }) => worktree)].flatMap(
    (worktree) => worktree?.branch ?? [],
  )

export const projectWorktrees = async (
  worktrees: ProjectWorktrees,
  signal: AbortSignal,
): Promise<Output<'loops.worktrees'>['worktrees']> =>
  (await findWorktrees(worktrees, signal)).slice(0, 200).map(({ at: _at, ...worktree }) => worktree)

/** @throws AppError NOT_FOUND */
export async function previewRemoval(
  worktrees: ProjectWorktrees,
  branch: string,
  signal: AbortSignal,
): Promise<Output<'loops.worktree'>> {
  const { at, worktree } = await requireWorktree(worktrees, branch, signal)
  const { branch: commits, files, lost } = await planRollback(at, { kind: 'throw-away', worktree }, signal)
  const [, ...uncommitted] = lost
  return {
    commits: commits.slice(0, 200).map(({ commit, subject }) => ({ commit, subject: subject.slice(0, 500) })),
    files: files.slice(0, 2_000).map(({ path }) => path.slice(0, 4096)),
    uncommitted: uncommitted.slice(0, 200).map((path) => path.slice(0, 4096)),
  }
}

/** @throws AppError NOT_FOUND, CONFLICT where a run works in it */
export async function removeLeft(
  worktrees: ProjectWorktrees,
  branch: string,
  signal: AbortSignal,
): Promise<Output<'loops.removeWorktree'>> {
  const { at, run, worktree } = await requireWorktree(worktrees, branch, signal)
  if (run !== null)
    throw new AppError('CONFLICT', `The run ${run} works on ${branch}.`, {
      hint: 'Merge it or throw it away with an action of the run.',
    })
  const { backup, changesBackup } = await rollBack(at, { kind: 'throw-away', worktree }, signal)
  return { backup, changesBackup }
}

async function requireWorktree(worktrees: ProjectWorktrees, branch: string, signal: AbortSignal) {
  const found = (await findWorktrees(worktrees, signal)).find((worktree) => worktree.branch === branch)
  if (!found) throw new AppError('NOT_FOUND', `There is no worktree on ${branch}.`, { hint: 'List them first.' })
  const worktree: Worktree = { root: found.path, top: '', branch, into: null, base: found.head, since: 0 }
  return { ...found, worktree }
}
