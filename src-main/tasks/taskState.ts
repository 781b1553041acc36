/** task.json on disk: the state of one task, whole at any moment. */
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError, toFailure } from '@shared/contract/errors'
import { isJsonObject, parseJson, printJson, type JsonObject } from '@shared/json'
import { replaceFile, stagingName } from '../files/stagedWrite'
import { readEntry, readTaskFile, taskFileOf, type OwnPart, type TaskFile } from './entry'
import { appendLog, hasResult } from './taskFolder'

const TASK_FILE = 'task.json'

/** Larger ones are no task's. */
const MAX_TASK_FILE_BYTES = 1024 * 1024

/** A text says why it cannot be read; undefined that there is none. */
export async function readTaskState(folder: string): Promise<TaskFile | string | undefined> {
  const path = join(folder, TASK_FILE)
  const found = await lstat(path).catch(() => undefined)
  if (!found) return undefined
  if (!found.isFile() || found.size > MAX_TASK_FILE_BYTES) return `${TASK_FILE} is no file of a task, and is not read.`
  try {
    return readTaskFile(parseJson(await readFile(path, 'utf8'), TASK_FILE)) ?? `${TASK_FILE}: an object was expected.`
  } catch (error) {
    return toFailure(error).message
  }
}

/**
 * Resolves when it is on disk. In the file of another program (`own` null) what stands beside the entry's fields stays.
 * @throws AppError INTERNAL
 */
export async function writeTaskState(folder: string, entry: JsonObject, own: OwnPart | null): Promise<void> {
  const path = join(folder, TASK_FILE)
  try {
    if (own) await replaceFile(path, printTaskState(entry, own, await hasResult(folder)))
    else {
      const json = parseJson(await readFile(path, 'utf8').catch(() => '{}'), TASK_FILE)
      await replaceFile(path, printJson({ ...(isJsonObject(json) ? json : {}), ...entry }))
    }
  } catch (error) {
    throw new AppError('INTERNAL', `The state of ${basename(folder)} could not be written.`, {
      hint: 'Check the free space on the disk and the permissions of the folder.',
      cause: error,
    })
  }
}

/** Makes the folder of a new task, whole or not at all. Resolves to whether the name was free. */
export async function makeTaskFolder(
  folder: string,
  entry: JsonObject,
  own: OwnPart,
  startedAt: number,
): Promise<boolean> {
  const temporary = stagingName(folder)
  await mkdir(temporary)
  await Promise.all([
    writeFile(join(temporary, TASK_FILE), printTaskState(entry, own, false), { flush: true }),
    appendLog(temporary, 'started', startedAt),
  ])
  return renameToNew(temporary, folder)
}

const printTaskState = (entry: JsonObject, own: OwnPart, hasResult: boolean): string =>
  printJson(taskFileOf(entry, hasResult ? readEntry(entry).folder : null, own))

const TAKEN_CODES: readonly unknown[] = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR']

/** False when something is there already. */
async function renameToNew(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    await rm(from, { recursive: true, force: true })
    if (error instanceof Error && 'code' in error && TAKEN_CODES.includes(error.code)) return false
    throw error
  }
}
