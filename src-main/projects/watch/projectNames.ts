import { Listing } from '../../formats/listing'
import { kindOf } from '../read/projectDisk'
import { TimeSlice } from '../timeSlice'

const TIME_SLICE_MS = 5

export class ProjectNames {
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()
  #listing = new Listing([])

  get listing(): Listing {
    return this.#listing
  }

  get size(): number {
    return this.#files.size + this.#folders.size
  }

  hasFile(path: string): boolean {
    return this.#files.has(path)
  }

  differences(listing: Listing): string[] {
    const files = new Set(listing.files)
    const folders = new Set(listing.folders)
    folders.delete('')
    return [
      ...[...files].filter((path) => !this.#files.has(path)),
      ...[...folders].filter((path) => !this.#folders.has(path)),
      ...[...this.#files, ...this.#folders].filter((path) => !files.has(path) && !folders.has(path)),
    ]
  }

  async update(root: string, paths: readonly string[]): Promise<boolean> {
    let hasChanged = false
    const slice = new TimeSlice(TIME_SLICE_MS)
    for (const path of paths) {
      if (slice.isOver) await slice.next()
      if (this.#updateOne(root, path)) hasChanged = true
    }
    return hasChanged
  }

  /** Rebuilds the listing, after {@link update}. */
  refreshListing(): void {
    this.#listing = new Listing(this.#files, this.#folders)
  }

  #updateOne(root: string, path: string): boolean {
    let hasChanged = false
    const found = path === '' ? undefined : kindOf(root, path)
    for (const [kind, names] of [
      ['file', this.#files],
      ['folder', this.#folders],
    ] as const) {
      if ((found === kind) === names.has(path)) continue
      if (found === kind) names.add(path)
      else names.delete(path)
      hasChanged = true
    }
    if (found !== undefined) return hasChanged
    // When a folder is moved away, not every name in it is reported.
    for (const names of [this.#files, this.#folders]) {
      for (const name of names) if (name.startsWith(`${path}/`)) hasChanged = names.delete(name)
    }
    return hasChanged
  }
}
