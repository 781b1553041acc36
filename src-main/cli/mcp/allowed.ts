/** Which files an agent may use, as the person said when they started the server. */
import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { isInside } from '../../files/containedPath'

export interface Allowed {
  /** Folders whose files it may use; absolute. */
  readonly folders: readonly string[]
}

/**
 * @param path absolute; it need not be there yet
 * @throws AppError FORBIDDEN for what is outside the folders, also by way of a link
 */
export function requireInside({ folders }: Allowed, path: string): void {
  const real = realPath(path)
  if (folders.some((folder) => isInside(realPath(folder), real))) return
  throw new AppError('FORBIDDEN', `“${basename(path)}” is outside the folders that you may use.`, {
    hint: `Use a file in ${folders.join(' or ')}. The person can add a folder with “bridgedeck mcp --folder DIR”.`,
  })
}

/** As the system itself counts links that lead to links. */
const MAX_LINKS = 40

/** With links followed, also where what they lead to is not there yet. */
function realPath(path: string, links = 0): string {
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
