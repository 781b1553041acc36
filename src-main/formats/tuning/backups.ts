/** The copies that a run keeps of a skill: of the whole before it began, and of what each fix changed. */
import type { Draft } from '../edit/draft'
import type { RunFiles } from '../format'
import { within } from '../listing'
import { field, stringOf, textOf, type Located } from '../text/located'
import { projectPath } from '../text/namedPath'
import { attempt } from './actions/tuningRun'
import { backupFolder, fixBackup, isPlainId, skillFolder } from './fix'
import type { TuningState } from './state'

/** Files of a skill's backup that a run is read with, so that it can be restored; a bigger one is restored by hand. */
export const MAX_BACKUP_FILES = 200

/** The copy of what a fix changed; only one in the project. */
export function backupOf(files: RunFiles, state: Pick<TuningState, 'root'>, applied: Located): string | undefined {
  const path = stringOf(field(applied, 'backup_path'))
  const folder = path === undefined || path === '' ? undefined : projectPath(files.candidate.folder, path)
  const id = textOf(field(applied, 'fix_id'))
  return folder ?? (id !== undefined && isPlainId(id) ? fixBackup(files, state, id) : undefined)
}

/** Paths in the project. */
export interface Copy {
  readonly from: string
  readonly to: string
}

/** The copies of the whole skill's files and where they belong; those of single fixes lie among them and do not count. */
export function wholeBackup(files: RunFiles, state: Pick<TuningState, 'root'>): Copy[] {
  const skill = skillFolder(files, state)
  const backup = backupFolder(files, state)
  if (skill === undefined || backup === files.candidate.folder) return []
  return files.listing.below(backup).flatMap((from) => {
    const relative = from.slice(backup.length + 1)
    return /^before-[^/]*\//.test(relative) ? [] : [{ from, to: within(skill, relative) }]
  })
}

/** Byte for byte. @returns those that cannot be read or are too large, and are not copied */
export const copyFiles = (draft: Draft, copies: readonly Copy[]): string[] =>
  copies.flatMap(({ from, to }) => {
    const isCopied = attempt(() => {
      draft.copy(from, to)
      return true
    })
    return isCopied ? [] : [from]
  })
