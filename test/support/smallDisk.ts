/** A real file system of a few MiB, to be filled or made read-only. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  /** Its root. */
  readonly path: string
  /** Writes until nothing more goes on it, but for some bytes. */
  fill(left?: number): void
  free(): void
  remount(mode: 'ro' | 'rw'): void
  /** Ends it with all that is on it. */
  remove(): void
}

/** Whether this user may mount one. Where not, a user namespace may: `unshare -Urm`. */
export function mayMount(): boolean {
  try {
    smallDisk(1).remove()
    return true
  } catch {
    return false
  }
}

export function smallDisk(mebibytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-disk-'))
  try {
    mount('-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0700`, 'tmpfs', folder)
  } catch (error) {
    rmdirSync(folder)
    throw error
  }
  return new MountedDisk(folder)
}

const mount = (...args: string[]): void => void execFileSync('mount', args, { stdio: 'pipe' })

class MountedDisk implements SmallDisk {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  fill(left = 0): void {
    const file = openSync(this.#filler, 'a')
    try {
      for (let size = 1024 * 1024; size > 0;) {
        try {
          if (writeSync(file, Buffer.alloc(size)) < size) size >>= 1
        } catch {
          size >>= 1
        }
      }
    } finally {
      closeSync(file)
    }
    if (left > 0) truncateSync(this.#filler, statSync(this.#filler).size - left)
  }

  free(): void {
    rmSync(this.#filler, { force: true })
  }

  remount(mode: 'ro' | 'rw'): void {
    mount('-o', `remount,${mode}`, this.path)
  }

  remove(): void {
    // Whatever still has a file open there keeps the disk, but nobody finds it any more.
    execFileSync('umount', ['-l', this.path])
    rmdirSync(this.path)
  }

  get #filler(): string {
    return join(this.path, 'filler')
  }
}
