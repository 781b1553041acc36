import { watch } from 'node:fs'
import { dirname } from 'node:path'

/** The names that changed in a file's folder, in their order where the system tells it: on Linux. */
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
      // Too many are watched already: what only the events tell is not known then.
    }
  }

  /** Whether the file was renamed over between the making of the link and our own rename, which begins with `staged`. */
  hasForeign(link: string, staged: string, target: string): boolean {
    const from = this.#names.indexOf(link)
    const to = this.#names.indexOf(staged, from + 1)
    return from >= 0 && to > from && this.#names.slice(from + 1, to).includes(target)
  }

  close(): void {
    this.#watcher?.close()
  }
}
