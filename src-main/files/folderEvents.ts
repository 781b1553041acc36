import { watch } from 'node:fs'
import { dirname } from 'node:path'

export class FolderEvents {
  readonly #names: string[] = []
  readonly #watcher: ReturnType<typeof watch> | undefined

  constructor(path: string) {
    if (process.platform !== 'linux') return
    try {
      this.#watcher = watch(dirname(path), { persistent: false }, (kind, name) => {
        if (kind === 'rename' && name !== null) this.#names.push(name)
      })
      this.#watcher.on('error', () => this.close())
    } catch {
      // Too many folders are watched already: what only events tell stays unknown.
    }
  }

  hasForeign(link: string, staged: string, target: string): boolean {
    const from = this.#names.indexOf(link)
    const to = this.#names.indexOf(staged, from + 1)
    return from >= 0 && to > from && this.#names.slice(from + 1, to).includes(target)
  }

  close(): void {
    this.#watcher?.close()
  }
}
