import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskType } from '@shared/contract/tasks'
import { isFolderName } from './taskId'

const parents = [
  ['foreground', 'tasks'],
  ['background', join('tasks', 'background')],
] as const satisfies readonly [TaskType, string][]

export const parentOf = (home: string, type: TaskType): string =>
  join(home, 'tasks', ...(type === 'background' ? ['background'] : []))

export type FolderTypes = ReadonlyMap<string, readonly TaskType[]>

/** Read again only when something in their parents changed. Links do not count as folders. */
export class TaskFolders {
  readonly #home: string
  #found = new Map<string, readonly TaskType[]>()
  #stamp = ''

  constructor(home: string) {
    this.#home = home
  }

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
