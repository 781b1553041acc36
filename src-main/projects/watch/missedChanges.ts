import { setTimeout as wait } from 'node:timers/promises'
import { parentOf } from '../../formats/listing'
import type { FileVersions } from './fileVersions'
import { isMissed, MissedNames } from './missedNames'
import type { ProjectNames } from './projectNames'

/** A working watcher has reported a change by then. */
const WATCHER_DELAY_MS = 1_000

interface Pending {
  has(path: string): boolean
  settled(): Promise<void>
}

export class MissedChanges {
  readonly #names: ProjectNames
  readonly #versions: FileVersions
  readonly #missedNames = new MissedNames()
  readonly #reported = new Set<string>()

  constructor(names: ProjectNames, versions: FileVersions) {
    this.#names = names
    this.#versions = versions
  }

  noteReported(path: string): void {
    this.#reported.add(path).add(parentOf(path))
  }

  async search(root: string, isListed: boolean, pending: Pending): Promise<boolean> {
    try {
      const versions = this.#versions
      const moved = new Map(
        (await versions.outdated(root, versions.paths)).map((path) => [path, versions.stampOf(path)]),
      )
      const names = isListed ? await this.#missedNames.look(root, this.#names.listing) : []
      if (moved.size === 0 && names.length === 0) return false
      // In parts: while this thread is busy, the watcher cannot report.
      for (let part = 0; part < 10; part++) await wait(WATCHER_DELAY_MS / 10)
      await pending.settled()
      // A file that was read again meanwhile and has changed since is being written all the time.
      const missed = (await versions.outdated(root, [...moved.keys()])).filter(
        (path) => moved.get(path) === versions.stampOf(path) && !pending.has(path),
      )
      return missed.length > 0 || this.#areMissed(root, names, pending)
    } finally {
      this.#reported.clear()
    }
  }

  /** The watcher reports a folder with many new names bit by bit: such a folder is checked again. */
  #areMissed(root: string, names: readonly string[], pending: Pending): boolean {
    const left = names.filter((path) => !pending.has(path) && isMissed(root, path, this.#names.listing))
    const behind = left.filter((path) => this.#reported.has(parentOf(path)))
    for (const path of behind) this.#missedNames.again(parentOf(path))
    return behind.length < left.length
  }
}
