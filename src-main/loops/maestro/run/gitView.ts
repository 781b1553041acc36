import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { TurnRecord } from '@shared/turnRecord'
import type { PhaseFiles } from '../../../formats/maestro/session/taskReport'
import { gitOrFail } from '../../../git/git'
import { findRepository } from '../../../git/repository'
import { readRepositoryState } from '../../../git/repositoryState'
import type { LoopWork } from '../../loop'

export type GitSpan = Pick<TurnRecord, 'before' | 'after' | 'uncommitted'>

export interface GitView {
  readonly unfounded: readonly string[]
  readonly unsaid: readonly string[]
  readonly absent: readonly string[]
}

export async function gitView(
  { workFolder, trusted }: Pick<LoopWork, 'workFolder' | 'trusted'>,
  stateDir: string,
  record: GitSpan | null,
  files: PhaseFiles,
): Promise<GitView> {
  const at = trusted()
  const repository = record && (await findRepository(at))
  const absent = absentFiles({ workFolder }, files)
  if (!record || !repository) return { unfounded: [], unsaid: [], absent }
  const base = relative(repository.top, workFolder).split(sep).join('/')
  const state = await readRepositoryState(at)
  const { before, after } = record
  const committed =
    before.head === null || after.head === null || before.head === after.head
      ? []
      : (await gitOrFail(at, ['diff', '--name-only', '-z', before.head, after.head])).text.split('\0').filter(Boolean)
  const changed = [...committed, ...record.uncommitted]
  return { ...compareFiles(files, { base, stateDir, changed, dirty: state.uncommitted }), absent }
}

const absentFiles = ({ workFolder }: Pick<LoopWork, 'workFolder'>, { created, modified }: PhaseFiles): string[] =>
  [...created, ...modified].filter((path) => !existsSync(join(workFolder, path)))

interface KnownToGit {
  readonly base: string
  readonly stateDir: string
  readonly changed: readonly string[]
  readonly dirty: readonly string[]
}

export function compareFiles(
  files: PhaseFiles,
  { base, stateDir, changed, dirty }: KnownToGit,
): Omit<GitView, 'absent'> {
  const own = (path: string) =>
    base === '' ? path : path.startsWith(`${base}/`) ? path.slice(base.length + 1) : undefined
  const below = (paths: readonly string[]) => [...new Set(paths.flatMap((path) => own(path) ?? []))]
  const claimed = [...files.created, ...files.modified, ...files.deleted].map((path) => path.replace(/^\.\//, ''))
  const known = below([...changed, ...dirty])
  // An untracked folder stands for all that is in it.
  const has = (path: string) => known.some((other) => other === path || (other.endsWith('/') && path.startsWith(other)))
  const says = (path: string) =>
    claimed.some((claim) => claim === path || (path.endsWith('/') && claim.startsWith(path)))
  return {
    unfounded: claimed.filter((path) => !has(path)),
    unsaid: below(changed).filter((path) => !says(path) && path !== stateDir && !`${path}/`.startsWith(`${stateDir}/`)),
  }
}
