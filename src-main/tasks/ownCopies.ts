import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '@shared/json'
import { removeAbandoned, stagingName } from '../files/stagedWrite'
import { readTaskFile, type TaskFile } from './entry'

/** Larger ones are no task's. */
const MAX_COPY_BYTES = 1024 * 1024

/**
 * The task.json files of our recurring tasks once more, where no other program writes: c64bridge overwrites those below
 * tasks/background with what it makes of tasks.json. They are not synced: the task.json that is written before each is.
 */
export class OwnCopies {
  readonly #folder: string

  constructor(home: string) {
    this.#folder = join(home, '.bridgedeck.tasks')
  }

  /** Undefined where there is no whole one. */
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

  async delete(id: string): Promise<void> {
    await rm(this.#pathOf(id), { force: true })
  }

  async ids(): Promise<ReadonlySet<string>> {
    const names = await readdir(this.#folder).catch(() => [])
    return new Set(names.flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []))
  }

  /** Removes what processes that were killed had begun to write. */
  async tidy(): Promise<void> {
    if (await lstat(this.#folder).catch(() => undefined)) await removeAbandoned(this.#folder, { isOurs: true })
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.json`)
  }
}
