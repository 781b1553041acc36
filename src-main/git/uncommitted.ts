import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GitStep } from '@shared/gitStep'
import { backupName, bridgedeck, identity, keep } from './backup'
import { differenceOf } from './difference'
import { git, gitOrFail } from './git'
import { WORK_TREE_LIMIT_MS } from './gitProcess'
import { readWorkTree } from './repository'
import { move } from './reset'
import {
  emptyPlan,
  filterObstacle,
  refuseWith,
  type OnReady,
  type RollbackPlan,
  type RollbackResult,
} from './rollbackPlan'
import { filteredFiles } from './rollbackQueries'
import type { Ready } from './rollbackRepository'
import type { TrustedFolder } from './trustedFolder'

export type UncommittedStep = Extract<GitStep, { readonly kind: 'commit' | 'stash' }>

interface Changes {
  readonly plan: RollbackPlan
  readonly files: readonly string[]
  readonly tree: string
  readonly environment: Readonly<Record<string, string>>
}

const literally = (files: readonly string[]) => files.map((file) => `:(top,literal)${file}`)

export async function withChanges<Result>(
  { at, repository: { gitFolder }, head }: Ready,
  step: UncommittedStep,
  use: (changes: Changes) => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { changed, untracked } = await readWorkTree(at, signal)
  const dirty = new Set([...changed, ...untracked])
  const files = step.files === 'all' ? [...dirty] : step.files.filter((file) => dirty.has(file))
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-index-'))
  try {
    const index = join(folder, 'index')
    await copyFile(join(gitFolder, 'index'), index).catch(() => undefined)
    const environment = { GIT_INDEX_FILE: index }
    const options = { environment, limitMs: WORK_TREE_LIMIT_MS, signal }
    const none = { files, tree: `${head}^{tree}`, environment }
    if (files.length === 0) return await use({ ...none, plan: refused('These changes are committed or gone by now.') })
    const filtered = await filteredFiles(at, new TextEncoder().encode(`${files.join('\0')}\0`), signal)
    if (filtered.length > 0) return await use({ ...none, plan: refused(filterObstacle(filtered)) })
    await gitOrFail(at, ['reset', '--quiet', '--mixed'], options)
    await gitOrFail(at, ['add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'], {
      ...options,
      input: literally(files).join('\0'),
    })
    const tree = (await gitOrFail(at, ['write-tree'], options)).text.trim()
    return await use({
      files,
      tree,
      environment,
      plan: { ...emptyPlan, ...(await shown(at, step, head, tree, signal)) },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const refused = (obstacle: string): RollbackPlan => ({ ...emptyPlan, obstacles: [obstacle] })

const shown = (
  at: TrustedFolder,
  { kind }: UncommittedStep,
  head: string,
  tree: string,
  signal: AbortSignal | undefined,
) => (kind === 'commit' ? differenceOf(at, head, tree, signal) : differenceOf(at, tree, head, signal))

/** A change made in a file after it was looked at is in neither commit nor stash, and stays. */
export async function takeChanges(
  { at, head }: Ready,
  step: UncommittedStep,
  { plan, files, tree, environment }: Changes,
  onReady: OnReady,
): Promise<RollbackResult> {
  refuseWith(plan)
  const backup = backupName()
  await keep(at, backup, head)
  const commit = async (
    parents: readonly string[],
    message: string,
    of: string,
    who: Readonly<Record<string, string>>,
  ) =>
    (
      await gitOrFail(at, ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', of], {
        environment: who,
        input: `${message}\n`,
      })
    ).text.trim()
  const result = { backup, changesBackup: null, before: head, head, commits: [] }
  if (step.kind === 'commit') {
    const made = await commit([head], step.message, tree, await identity(at))
    onReady({ ...result, head: made, commits: [made] })
    await gitOrFail(at, ['update-ref', '-m', `commit: ${step.message}`, 'HEAD', made, head])
    await unstage(at, files)
    return { ...result, head: made, commits: [made] }
  }
  const index = await commit([head], step.message, `${head}^{tree}`, bridgedeck)
  const changes = await commit([head, index], step.message, tree, bridgedeck)
  onReady({ ...result, changesBackup: changes })
  await gitOrFail(at, ['stash', 'store', '--quiet', '-m', step.message, changes])
  await move(at, { from: tree, to: head, head, environment })
  await unstage(at, files)
  return { ...result, changesBackup: changes }
}

const unstage = (at: TrustedFolder, files: readonly string[]) =>
  git(at, ['reset', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul'], {
    limitMs: WORK_TREE_LIMIT_MS,
    input: literally(files).join('\0'),
  })
