import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Output } from '@shared/contract/contract'
import { toFailure } from '@shared/contract/errors'
import type { TaskProblem } from '@shared/contract/tasks'
import { RECORDING_FILE } from '../recorder/recordingCatalog'
import { listArtifacts, readLog, readResult } from './taskFolder'

type FolderContents = Pick<
  Output<'tasks.show'>,
  'result' | 'artifacts' | 'moreArtifacts' | 'hasRecording' | 'log' | 'problems'
>

export async function readFolderContents(folder: string | null, shownAs: string): Promise<FolderContents> {
  const problems: TaskProblem[] = []
  const part = async <T>(file: string, read: (folder: string) => Promise<T>, otherwise: T): Promise<T> => {
    if (folder === null) return otherwise
    try {
      return await read(folder)
    } catch (error) {
      const { message, hint = null } = toFailure(error)
      problems.push({ file: `${shownAs}/${file}`.slice(0, 1000), message, hint })
      return otherwise
    }
  }
  const result = await part('result.json', readResult, null)
  const { artifacts, more } = await part('artifacts', listArtifacts, { artifacts: [], more: 0 })
  const log = await part('log.txt', (path) => readLog(path), { offset: 0, text: '', next: 0 })
  const hasRecording =
    folder !== null && (await lstat(join(folder, RECORDING_FILE)).catch(() => undefined)) !== undefined
  return { result, artifacts, moreArtifacts: more, hasRecording, log, problems }
}
