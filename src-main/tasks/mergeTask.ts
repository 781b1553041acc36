import { basename, dirname } from 'node:path'
import type { OrphanKind, TaskType } from '@shared/contract/tasks'
import type { JsonObject } from '@shared/json'
import type { OwnPart, TaskFile } from './entry'
import { printEntry } from './registryFile'
import { counterOf, folderOf, isFolderName } from './taskId'

export interface StoredTask {
  readonly entry: JsonObject
  readonly own: OwnPart | null
  readonly orphan: OrphanKind | null
  readonly folder: string | null
  readonly notices: readonly string[]
}

export interface KnownTask extends StoredTask {
  readonly listed: JsonObject | undefined
}

export interface TaskVersions {
  readonly id: string
  readonly listed: JsonObject | undefined
  readonly folder: string | null
  readonly file: TaskFile | string | undefined
  readonly notices: readonly string[]
  readonly known: KnownTask | undefined
  readonly runsHere: boolean
}

export function mergeTask({ id, listed, folder, file, notices, known, runsHere }: TaskVersions): KnownTask {
  const onDisk = typeof file === 'object' ? file : undefined
  const kept = known && isKept(known, onDisk?.own ?? null, runsHere || typeof file === 'string') ? known : undefined
  const own = kept ? kept.own : (onDisk?.own ?? null)
  const fields = kept ? kept.entry : own !== null || listed === undefined ? onDisk?.entry : undefined
  const base = listed ?? { ...fields, ...unknownEntry(id, folder) }
  const merged: JsonObject = { ...base, ...fields, id }
  return {
    entry: listed !== undefined && printEntry(merged) === printEntry(listed) ? listed : merged,
    own,
    orphan: own === null && listed === undefined ? 'noEntry' : folder === null ? 'noFolder' : null,
    folder,
    notices: [...noticesOf(id, listed), ...(typeof file === 'string' ? [file] : []), ...notices],
    listed,
  }
}

function isKept({ own }: KnownTask, disk: OwnPart | null, countsAnyway: boolean): boolean {
  if (own === null) return false
  return countsAnyway || (disk !== null && disk.revision < own.revision)
}

function noticesOf(id: string, listed: JsonObject | undefined): string[] {
  return [
    ...(isFolderName(id) ? [] : ['Its id is no name of a folder; nothing is read or written for it.']),
    ...(listed && typeof listed.folder === 'string' && !isExpectedFolder(id, listed.folder)
      ? ['Its entry names another folder than its own; that one is not used.']
      : []),
  ]
}

const isExpectedFolder = (id: string, folder: string): boolean =>
  folder === folderOf('foreground', id) || folder === folderOf('background', id)

function unknownEntry(id: string, folder: string | null): JsonObject {
  const type: TaskType = folder !== null && basename(dirname(folder)) === 'background' ? 'background' : 'foreground'
  const name = counterOf(id) > 0 ? id.slice(id.indexOf('_') + 1) : id
  return { id, name, type, operation: '', args: {}, status: 'unknown', folder: folderOf(type, id) }
}
