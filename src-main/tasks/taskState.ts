import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError, diskError, toFailure } from '@shared/contract/errors'
import type { TaskType } from '@shared/contract/tasks'
import { isJsonObject, parseJson, printJson, type JsonObject } from '@shared/json'
import { restrictTree } from '../files/privateFiles'
import { PRIVATE, replaceFile, stagingName } from '../files/stagedWrite'
import { readEntry, readTaskFile, taskFileOf, type OwnPart, type TaskFile } from './entry'
import { parentOf } from './folders'
import { OwnCopies } from './ownCopies'
import { folderOf } from './taskId'
import { appendLog, hasResult } from './taskFolder'
import { isCode } from '../files/fileErrors'

const TASK_FILE = 'task.json'

const MAX_TASK_FILE_BYTES = 1024 * 1024

export interface FoundState {
  readonly folder: string | null
  readonly file: TaskFile | string | undefined
  readonly isOverwritten: boolean
  readonly notices: readonly string[]
}

interface Candidate extends FoundState {
  readonly folder: string
  readonly type: TaskType
}

export class TaskStates {
  readonly #home: string
  readonly #copies: OwnCopies

  constructor(home: string) {
    this.#home = home
    this.#copies = new OwnCopies(home)
  }

  get copies(): OwnCopies {
    return this.#copies
  }

  async find(id: string, types: readonly TaskType[]): Promise<FoundState> {
    const found = await Promise.all(types.map((type) => this.#read(id, type)))
    const ours = found.find(isOurs)
    const chosen = ours ?? found.at(-1)
    if (!chosen) return { folder: null, file: undefined, isOverwritten: false, notices: [] }
    const foreign = ours && found.some((other) => other !== ours && !isShadow(id, other))
    return {
      ...chosen,
      notices: [
        ...chosen.notices,
        ...(foreign ? [`Another program has a task of its own with this id, in ${folderOf('background', id)}.`] : []),
      ],
    }
  }

  async shadowOf(id: string): Promise<string | undefined> {
    const [ours, other] = await Promise.all([this.#read(id, 'foreground'), this.#read(id, 'background')])
    return isOurs(ours) && isShadow(id, other) ? other.folder : undefined
  }

  /**
   * In the file of another program (`own` null) fields beside the entry's stay.
   * @throws AppError INVALID or FORBIDDEN where the disk refuses it, otherwise INTERNAL
   */
  async write(folder: string, entry: JsonObject, own: OwnPart | null): Promise<void> {
    const path = join(folder, TASK_FILE)
    try {
      if (own) {
        const content = printTaskState(entry, own, await hasResult(folder))
        await replaceFile(path, content, PRIVATE)
        await this.#keep(folder, content)
      } else {
        const json = parseJson(await readFile(path, 'utf8').catch(() => '{}'), TASK_FILE)
        const like = await lstat(path).catch(() => PRIVATE)
        await replaceFile(path, printJson({ ...(isJsonObject(json) ? json : {}), ...entry }), like)
      }
    } catch (error) {
      const name = `The state of ${basename(folder)}`
      throw (
        diskError(error, name, 'written') ??
        new AppError('INTERNAL', `${name} could not be written.`, {
          hint: 'Check the free space on the disk and the permissions of the folder.',
          cause: error,
        })
      )
    }
  }

  async copy(folder: string, entry: JsonObject, own: OwnPart): Promise<void> {
    await this.#keep(folder, printTaskState(entry, own, await hasResult(folder)))
  }

  /**
   * Made whole or not at all.
   * @returns whether the name was free
   */
  async make(folder: string, entry: JsonObject, own: OwnPart, startedAt: number): Promise<boolean> {
    const temporary = stagingName(folder)
    const content = printTaskState(entry, own, false)
    await mkdir(temporary, { mode: 0o700 })
    await Promise.all([
      writeFile(join(temporary, TASK_FILE), content, { flush: true, mode: PRIVATE.mode }),
      appendLog(temporary, 'started', startedAt),
    ])
    if (!(await renameToNew(temporary, folder))) return false
    await this.#keep(folder, content)
    return true
  }

  async #keep(folder: string, content: string): Promise<void> {
    const id = basename(folder)
    if (folder === join(parentOf(this.#home, 'background'), id)) await this.#copies.write(id, content)
  }

  async #read(id: string, type: TaskType): Promise<Candidate> {
    const folder = join(parentOf(this.#home, type), id)
    const file = await readTaskState(folder)
    const found = { type, folder, file, isOverwritten: false, notices: [] }
    if (type === 'foreground' || isOurs(found)) return found
    const copy = await this.#copies.read(id)
    if (!copy) return found
    // A damaged file is left as it is, for the person to look at.
    return typeof file === 'string'
      ? { ...found, file: copy, notices: [file] }
      : { ...found, file: copy, isOverwritten: true }
  }
}

const isOurs = ({ file }: Pick<FoundState, 'file'>): boolean => typeof file === 'object' && file.own !== null

/** c64bridge takes every task for one of its own, and keeps the folder that the entry names. */
const isShadow = (id: string, { file, type }: Candidate): boolean =>
  type === 'background' &&
  typeof file === 'object' &&
  file.own === null &&
  file.entry.folder === folderOf('foreground', id)

async function readTaskState(folder: string): Promise<TaskFile | string | undefined> {
  const path = join(folder, TASK_FILE)
  const found = await lstat(path).catch(() => undefined)
  if (!found) return undefined
  if (!found.isFile() || found.size > MAX_TASK_FILE_BYTES) return `${TASK_FILE} is no file of a task, and is not read.`
  try {
    const file = readTaskFile(parseJson(await readFile(path, 'utf8'), TASK_FILE))
    // Version 0.1 left its tasks open to other users.
    if (file?.own && (found.mode & 0o077) !== 0) await restrictTree(folder)
    return file ?? `${TASK_FILE}: an object was expected.`
  } catch (error) {
    return toFailure(error).message
  }
}

const printTaskState = (entry: JsonObject, own: OwnPart, hasResult: boolean): string =>
  printJson(taskFileOf(entry, hasResult ? readEntry(entry).folder : null, own))

/** @returns false when something is there already */
async function renameToNew(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    await rm(from, { recursive: true, force: true })
    if (isCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) return false
    throw error
  }
}
