import { TimeSlice } from '../timeSlice'
import type { StateFile } from '../../formats/text/stateFile'
import { readStateFile } from '../read/readStateFile'
import { readVersion, stampOf, type FileVersion } from '../read/projectDisk'

const TIME_SLICE_MS = 5

/** The versions of files that runs were read from, so that only what changed is read again. */
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

  /** The version that is known, or else the one on disk; undefined where there is no file. */
  async read(root: string, path: string): Promise<FileVersion | undefined> {
    const known = this.#versions.get(path)
    if (known) return known
    const read = await readVersion(root, path)
    if (read) this.#versions.set(path, read)
    return read
  }

  /** A file as it is on disk: not read again where its stamp is the same. */
  async readFresh(root: string, path: string): Promise<StateFile> {
    const known = this.#versions.get(path)
    return known?.stamp === stampOf(root, path) ? known.file : readStateFile(root, path)
  }

  /** Reads a file again that is known. Whether its content changed. */
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

  /** Those whose stamp on disk is no longer what was read. */
  async outdated(root: string, paths: readonly string[]): Promise<string[]> {
    const found: string[] = []
    const slice = new TimeSlice(TIME_SLICE_MS)
    for (const path of paths) {
      if (slice.isOver) await slice.next()
      if ((this.stampOf(path) ?? '') !== stampOf(root, path)) found.push(path)
    }
    return found
  }

  /** Forgets all others. */
  keep(wanted: ReadonlySet<string>): void {
    for (const path of this.#versions.keys()) if (!wanted.has(path)) this.#versions.delete(path)
  }
}
