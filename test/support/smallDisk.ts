/** A real file system of a few MiB, to be filled or made read-only. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
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

/** Mounts one, or where this user may not, makes a mount namespace of its own that is reached by way of its process. */
export async function smallDisk(mebibytes: number): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-disk-'))
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0700`, 'tmpfs', folder]
  try {
    execFileSync('mount', options, { stdio: 'ignore' })
  } catch {
    const holder = await startNamespace(options)
    const run = ['-t', String(holder.pid), '-U', '-m', '--preserve-credentials']
    return disk(`/proc/${holder.pid}/root${folder}`, {
      remount: (mode) => execFileSync('nsenter', [...run, 'mount', '-o', `remount,${mode}`, folder]),
      remove: () => {
        holder.kill('SIGKILL')
        rmSync(folder, { recursive: true, force: true })
      },
    })
  }
  return disk(folder, {
    remount: (mode) => execFileSync('mount', ['-o', `remount,${mode}`, folder]),
    remove: () => {
      // Whatever still has a file open there keeps the disk, but nobody finds it any more.
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

async function startNamespace(options: readonly string[]): Promise<ChildProcess> {
  const holder = spawn(
    'unshare',
    ['-Urm', 'sh', '-c', 'mount "$@" && echo mounted && exec sleep 600', 'sh', ...options],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await once(holder.stdout, 'data')
  return holder
}

function disk(path: string, { remount, remove }: Pick<SmallDisk, 'remount' | 'remove'>): SmallDisk {
  const filler = join(path, 'filler')
  return {
    path,
    remount,
    remove,
    fill(left = 0) {
      const file = openSync(filler, 'a')
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
      if (left > 0) execFileSync('truncate', ['-s', `-${left}`, filler])
    },
    free: () => rmSync(filler, { force: true }),
  }
}
