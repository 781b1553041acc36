import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileName } from '@shared/contract/fileName'
import { nameOf, within, type Listing } from '../../formats/listing'
import { folderStampOf, kindOf } from '../read/projectDisk'
import { skipped } from '../read/scanProject'
import { TimeSlice } from '../timeSlice'

const TIME_SLICE_MS = 5

export class MissedNames {
  readonly #stamps = new Map<string, string>()

  async look(root: string, listing: Listing): Promise<string[]> {
    const found: string[] = []
    const slice = new TimeSlice(TIME_SLICE_MS)
    for (const folder of listing.folders) {
      if (slice.isOver) await slice.next()
      // Taken before its names: what comes meanwhile shows the next time.
      const stamp = folderStampOf(root, folder)
      if (this.#stamps.get(folder) === stamp) continue
      this.#stamps.set(folder, stamp)
      if (stamp === '') found.push(folder)
      else for (const path of await missedIn(root, folder, listing)) found.push(path)
    }
    for (const folder of this.#stamps.keys()) if (!listing.hasFolder(folder)) this.#stamps.delete(folder)
    return found
  }

  again(folder: string): void {
    this.#stamps.delete(folder)
  }
}

export const isMissed = (root: string, path: string, listing: Listing): boolean =>
  (kindOf(root, path) !== undefined) !== isKnown(listing, path)

async function missedIn(root: string, folder: string, listing: Listing): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => undefined)
  if (!entries) return []
  // Links may lead out of the project: only the watcher reports them.
  const came = entries.filter((entry) => entry.isFile() || entry.isDirectory()).map(({ name }) => within(folder, name))
  const names = new Set(entries.map(({ name }) => within(folder, name)))
  const missed = [
    ...came.filter((path) => !isKnown(listing, path)),
    ...listing.in(folder).filter((path) => !names.has(path)),
  ]
  return missed.filter((path) => !skipped.has(nameOf(path)) && isFileName(path))
}

const isKnown = (listing: Listing, path: string): boolean => listing.hasFile(path) || listing.hasFolder(path)
