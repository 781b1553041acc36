import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskType } from '@shared/contract/tasks'
import { isFolderName } from './taskId'

const parents = [
  ['foreground', 'tasks'],
  ['background', join('tasks', 'background')],
] as const satisfies readonly [TaskType, string][]

/** The folder of all tasks of one type. */
export const parentOf = (home: string, type: TaskType): string =>
  join(home, 'tasks', ...(type === 'background' ? ['background'] : []))

/** The types of which there are folders on disk, by id: two where another program uses the id of one of ours. */
export type FolderTypes = ReadonlyMap<string, readonly TaskType[]>

/** The folders on disk by id, read again only when something in their parents changed. Links are none. */
export class TaskFolders {
  readonly #home: string
  #found = new Map<string, readonly TaskType[]>()
  #stamp = ''

  constructor(home: string) {
    this.#home = home
  }

  /** As last read. */
  get known(): FolderTypes {
    return this.#found
  }

  async list(): Promise<FolderTypes> {
    const stamp = await this.#readStamp()
    if (stamp === this.#stamp) return this.#found
    const found = new Map<string, readonly TaskType[]>()
    for (const [type, parent] of parents) {
      for (const entry of await readdir(join(this.#home, parent), { withFileTypes: true }).catch(() => [])) {
        const isParent = type === 'foreground' && entry.name === 'background'
        if (entry.isDirectory() && isFolderName(entry.name) && !isParent)
          found.set(entry.name, [...(found.get(entry.name) ?? []), type])
      }
    }
    this.#found = found
    this.#stamp = stamp
    return found
  }

  /** One that was just made here. */
  add(id: string, type: TaskType): void {
    this.#found.set(id, [...new Set([...(this.#found.get(id) ?? []), type])])
  }

  async #readStamp(): Promise<string> {
    const times = parents.map(
      async ([, parent]) =>
        (await stat(join(this.#home, parent), { bigint: true }).catch(() => undefined))?.mtimeNs ?? 0n,
    )
    return (await Promise.all(times)).join(':')
  }
}
