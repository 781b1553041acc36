/** Files that an agent says it changed, held against what git knows. */
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { TurnRecord } from '@shared/turnRecord'
import type { PhaseFiles } from '../../../formats/maestro/session/taskReport'
import { gitOrFail } from '../../../git/git'
import { findRepository } from '../../../git/repository'
import { readRepositoryState } from '../../../git/repositoryState'
import type { LoopWork } from '../../loop'

/** What git knew before and after, and what is uncommitted since. */
export type GitSpan = Pick<TurnRecord, 'before' | 'after' | 'uncommitted'>

export interface GitView {
  /** Claimed, and not changed. */
  readonly unfounded: readonly string[]
  /** Changed, and not claimed. */
  readonly unsaid: readonly string[]
  /** Claimed as created or modified, and not there: whether git can tell or not. */
  readonly absent: readonly string[]
}

/** @param stateDir what lies in it is no work of an agent @param record null where git could not tell */
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
  /** Where the claimed paths start, relative to the repository. */
  readonly base: string
  readonly stateDir: string
  /** In this turn, relative to the repository. */
  readonly changed: readonly string[]
  /** Now, whoever changed them: they may have been changed again. */
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
