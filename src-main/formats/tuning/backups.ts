import type { Draft } from '../edit/draft'
import type { RunFiles } from '../format'
import { within } from '../listing'
import { field, stringOf, textOf, type Located } from '../text/located'
import { projectPath } from '../text/namedPath'
import { attempt } from './actions/tuningRun'
import { backupFolder, fixBackup, isPlainId, skillFolder } from './fix'
import type { TuningState } from './state'

/** A bigger backup is restored by hand. */
export const MAX_BACKUP_FILES = 200

export function backupOf(files: RunFiles, state: Pick<TuningState, 'root'>, applied: Located): string | undefined {
  const path = stringOf(field(applied, 'backup_path'))
  const folder = path === undefined || path === '' ? undefined : projectPath(files.candidate.folder, path)
  const id = textOf(field(applied, 'fix_id'))
  return folder ?? (id !== undefined && isPlainId(id) ? fixBackup(files, state, id) : undefined)
}

export interface Copy {
  readonly from: string
  readonly to: string
}

export function wholeBackup(files: RunFiles, state: Pick<TuningState, 'root'>): Copy[] {
  const skill = skillFolder(files, state)
  const backup = backupFolder(files, state)
  if (skill === undefined || backup === files.candidate.folder) return []
  return files.listing.below(backup).flatMap((from) => {
    const relative = from.slice(backup.length + 1)
    return /^before-[^/]*\//.test(relative) ? [] : [{ from, to: within(skill, relative) }]
  })
}

export const copyFiles = (draft: Draft, copies: readonly Copy[]): string[] =>
  copies.flatMap(({ from, to }) => {
    const isCopied = attempt(() => {
      draft.copy(from, to)
      return true
    })
    return isCopied ? [] : [from]
  })
