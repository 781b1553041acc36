import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { OfferedAction } from '@shared/contract/edits'
import type { ValueSource } from '@shared/contract/orchestration'
import type { ActionPlan } from '../../formats/edit/action'
import type { StateFile } from '../../formats/text/stateFile'
import type { GoodVersion } from '../journal/history'
import { readStateFile } from '../read/readStateFile'

export const RESTORE_VERSION = 'restore-version'

export interface Restorable {
  readonly source: ValueSource
  readonly version: GoodVersion
}

export const offerRestore = ({ source, version }: Restorable): OfferedAction => ({
  name: RESTORE_VERSION,
  target: source.file,
  title: `Restore ${source.file}`,
  effect: `Writes back the last version that could be read, of ${timeText(version)}. Undo brings the present content back.`,
  fields: [],
  source,
  answersNeed: true,
})

/** @throws AppError CONFLICT when it can be read by now, or what is there could not be brought back */
export async function planRestore(root: string, file: string, restorable: readonly Restorable[]): Promise<ActionPlan> {
  const found = restorable.find(({ source }) => source.file === file)
  if (!found)
    throw new AppError('CONFLICT', `There is no version of ${file} to restore.`, {
      hint: 'It may have become readable again. Otherwise, fix it in an editor.',
    })
  const { text: before } = await readStateFile(root, file, decodeExactly)
  if (before === null && existsSync(join(root, file)))
    throw new AppError('CONFLICT', `${file} cannot be replaced: what is in it is not text.`, {
      hint: 'Move the file away, then write the version of the run’s history in its place.',
    })
  return {
    summary: `Restored ${file} of ${timeText(found.version)}`,
    changes: [{ file, before, after: found.version.text }],
    warnings: ['What was written into the file since then is not in this version.'],
  }
}

/** Zero bytes too, as a crash of the computer leaves them. Null where the text would not give the same bytes again. */
function decodeExactly(path: string, bytes: Uint8Array, modifiedAt: number | null): StateFile {
  try {
    const text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes)
    return { path, text, modifiedAt, findings: [] }
  } catch {
    return { path, text: null, modifiedAt, findings: [] }
  }
}

const timeText = ({ time }: GoodVersion): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
