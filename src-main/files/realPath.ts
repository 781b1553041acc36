import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The system's own limit of links in a row. */
const MAX_LINKS = 40

/** Follows links, also where their target does not exist yet. */
export function realPath(path: string, links = 0): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const parent = dirname(whole)
    if (parent === whole) return whole
    const there = join(realPath(parent, links), basename(whole))
    const target = links < MAX_LINKS ? linkAt(there) : null
    return target === null ? there : realPath(resolve(dirname(there), target), links + 1)
  }
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
