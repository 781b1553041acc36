/** Which task folders there are, and the ids that are still free. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskType } from '@shared/contract/tasks'
import { replaceFile } from '../files/stagedWrite'
import { counterOf, isFolderName } from './taskId'

const parents = [
  ['foreground', 'tasks'],
  ['background', join('tasks', 'background')],
] as const satisfies readonly [TaskType, string][]

/** The folder of all tasks of one type. */
export const parentOf = (home: string, type: TaskType): string =>
  join(home, 'tasks', ...(type === 'background' ? ['background'] : []))

/** The folders on disk by id, read again only when something in their parents changed. Links are none. */
export class TaskFolders {
  readonly #home: string
  #found = new Map<string, TaskType>()
  #stamp = ''
  #readAt = -Infinity

  constructor(home: string) {
    this.#home = home
  }

  /** @param maxAge how old what is known may be, ms */
  async list(maxAge = 0): Promise<ReadonlyMap<string, TaskType>> {
    if (performance.now() - this.#readAt < maxAge) return this.#found
    const readAt = performance.now()
    const stamp = await this.#readStamp()
    this.#readAt = readAt
    if (stamp === this.#stamp) return this.#found
    const found = new Map<string, TaskType>()
    for (const [type, parent] of parents) {
      for (const entry of await readdir(join(this.#home, parent), { withFileTypes: true }).catch(() => [])) {
        const isParent = type === 'foreground' && entry.name === 'background'
        if (entry.isDirectory() && isFolderName(entry.name) && !isParent) found.set(entry.name, type)
      }
    }
    this.#found = found
    this.#stamp = stamp
    return found
  }

  /** One that was just made here. */
  add(id: string, type: TaskType): void {
    this.#found.set(id, type)
  }

  async #readStamp(): Promise<string> {
    const times = parents.map(
      async ([, parent]) =>
        (await stat(join(this.#home, parent), { bigint: true }).catch(() => undefined))?.mtimeNs ?? 0n,
    )
    return (await Promise.all(times)).join(':')
  }
}

/**
 * The highest counter that was ever given, in a small file beside the registry: so that no id is used again, also when
 * its task was deleted. To be used under the home's lock.
 */
export class HighestCounter {
  readonly #path: string

  constructor(home: string) {
    this.#path = join(home, '.bridgedeck.last-id')
  }

  /** One that none of the ids has, and none had. */
  async next(ids: Iterable<string>): Promise<number> {
    const kept = Number((await readFile(this.#path, 'utf8').catch(() => '')).trim())
    let highest = Number.isSafeInteger(kept) && kept > 0 ? kept : 0
    for (const id of ids) highest = Math.max(highest, counterOf(id))
    await replaceFile(this.#path, `${highest + 1}\n`)
    return highest + 1
  }
}
