/** The present data folder is moved aside before anything of it is open. */
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeFileError } from '../files/fileErrors'

/**
 * A file in the data folder with which the next start moves the folder aside. It holds the process that asked, which
 * still uses the folder.
 */
const REQUEST = 'start-fresh'

const END_WAIT_MS = 2_000

export function requestFreshStart(folder: string): void {
  const path = join(folder, REQUEST)
  try {
    writeFileSync(path, String(process.pid), { mode: 0o600 })
  } catch (error) {
    throw describeFileError(error, path, 'written')
  }
}

export function placeAside(folder: string, now = new Date()): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  const first = `${realPath(folder)}-before-${day}`
  for (let number = 1; ; number++) {
    const place = number === 1 ? first : `${first}-${number}`
    if (!existsSync(place)) return place
  }
}

export function moveAside(folder: string, now = new Date(), waitMs = END_WAIT_MS): string | undefined {
  const request = join(folder, REQUEST)
  if (!existsSync(request)) return undefined
  const asked = Number(readFileSync(request, 'utf8'))
  const deadline = performance.now() + waitMs
  while (isRunning(asked)) {
    if (performance.now() > deadline) return undefined
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
  const [from, to] = [realPath(folder), placeAside(folder, now)]
  try {
    rmSync(request)
    renameSync(from, to)
    mkdirSync(from, { mode: 0o700 })
  } catch (error) {
    throw describeFileError(error, from, 'written')
  }
  return to
}

const realPath = (folder: string): string => (existsSync(folder) ? realpathSync(folder) : folder)

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
