import { TimeSlice } from '../timeSlice'
import type { StateFile } from '../../formats/text/stateFile'
import { readStateFile } from '../read/readStateFile'
import { readVersion, stampOf, type FileVersion } from '../read/projectDisk'

const TIME_SLICE_MS = 5

export class FileVersions {
  readonly #versions = new Map<string, FileVersion>()

  get paths(): string[] {
    return [...this.#versions.keys()]
  }

  stampOf(path: string): string | undefined {
    return this.#versions.get(path)?.stamp
  }

  has(path: string): boolean {
    return this.#versions.has(path)
  }

  async read(root: string, path: string): Promise<FileVersion | undefined> {
    const known = this.#versions.get(path)
    if (known) return known
    const read = await readVersion(root, path)
    if (read) this.#versions.set(path, read)
    return read
  }

  async readFresh(root: string, path: string): Promise<StateFile> {
    const known = this.#versions.get(path)
    return known?.stamp === stampOf(root, path) ? known.file : readStateFile(root, path)
  }

  async refresh(root: string, path: string): Promise<boolean> {
    const before = this.#versions.get(path)
    const now = await readVersion(root, path)
    if (before && now?.hash === before.hash) {
      // A rewrite of the same bytes is no change; only its stamp is kept, for the watcher's sake.
      this.#versions.set(path, { ...before, stamp: now.stamp })
      return false
    }
    if (now) this.#versions.set(path, now)
    else this.#versions.delete(path)
    return true
  }

  async outdated(root: string, paths: readonly string[]): Promise<string[]> {
    const found: string[] = []
    const slice = new TimeSlice(TIME_SLICE_MS)
    for (const path of paths) {
      if (slice.isOver) await slice.next()
      if ((this.stampOf(path) ?? '') !== stampOf(root, path)) found.push(path)
    }
    return found
  }

  keep(wanted: ReadonlySet<string>): void {
    for (const path of this.#versions.keys()) if (!wanted.has(path)) this.#versions.delete(path)
  }
}
