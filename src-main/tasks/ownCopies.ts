import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskType } from '@shared/contract/tasks'
import { parseJson } from '@shared/json'
import { removeAbandoned, stagingName } from '../files/stagedWrite'
import { readTaskFile, type TaskFile } from './entry'

const MAX_COPY_BYTES = 1024 * 1024

/** No c64bridge runs longer than this with data that it read once. */
const REMEMBERED_MS = 30 * 24 * 3_600_000

export interface Deletion {
  readonly type: TaskType
  /** ms since 1970 */
  readonly time: number
}

/**
 * Second copies of the task.json files of our recurring tasks, where no other program writes: c64bridge overwrites
 * those below tasks/background. Not synced, as the task.json written before each is.
 */
export class OwnCopies {
  readonly #folder: string

  constructor(home: string) {
    this.#folder = join(home, '.bridgedeck.tasks')
  }

  async read(id: string): Promise<TaskFile | undefined> {
    try {
      const path = this.#pathOf(id)
      const found = await lstat(path)
      if (!found.isFile() || found.size > MAX_COPY_BYTES) return undefined
      const file = readTaskFile(parseJson(await readFile(path, 'utf8'), ''))
      return file?.own && file.entry.id === id ? file : undefined
    } catch {
      return undefined
    }
  }

  async write(id: string, content: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const path = this.#pathOf(id)
    const staged = stagingName(path)
    try {
      await writeFile(staged, content, { mode: 0o600 })
      await rename(staged, path)
    } catch (error) {
      await rm(staged, { force: true })
      throw error
    }
  }

  /** Remembered, as a running c64bridge writes a deleted task again and again. */
  async noteDeleted(id: string, deletion: Deletion): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await rm(this.#pathOf(id), { force: true })
    await writeFile(join(this.#folder, `${id}.${deletion.type}.deleted.${deletion.time}`), '', { mode: 0o600 })
  }

  async deletions(): Promise<Map<string, Deletion>> {
    const found = new Map<string, Deletion>()
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const [, id, type, written] = /^(.+)\.(foreground|background)\.deleted\.(\d{1,15})$/.exec(name) ?? []
      if (id === undefined) continue
      const time = Number(written)
      if (Date.now() - time > REMEMBERED_MS) await rm(join(this.#folder, name), { force: true })
      else found.set(id, { type: type === 'background' ? 'background' : 'foreground', time })
    }
    return found
  }

  async ids(): Promise<ReadonlySet<string>> {
    const names = await readdir(this.#folder).catch(() => [])
    return new Set(names.flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []))
  }

  async tidy(): Promise<void> {
    if (await lstat(this.#folder).catch(() => undefined)) await removeAbandoned(this.#folder, { isOurs: true })
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.json`)
  }
}
