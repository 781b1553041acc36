/** What an agent may do, as the person said when they started the server. */
import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { GrantableRight } from '@shared/contract/steering'
import { isInside } from '../../files/containedPath'

export interface Allowed {
  /** Without asking the person. */
  readonly granted: readonly GrantableRight[]
  /** Folders whose files it may use; absolute. */
  readonly folders: readonly string[]
  /** What the person starts with the options that allow more. */
  readonly command: ServerCommand
}

type ServerCommand = 'bridgedeck mcp' | 'bridgedeck serve'

export interface Granted {
  readonly rights: readonly GrantableRight[]
  /** As written, from the working folder; none for that folder. */
  readonly folders: readonly string[]
}

/** What the options of a server allow. */
export const allowedBy = ({ rights, folders }: Granted, workingFolder: string, command: ServerCommand): Allowed => ({
  granted: rights,
  folders: (folders.length === 0 ? ['.'] : folders).map((folder) => resolve(workingFolder, folder)),
  command,
})

/**
 * @param path absolute; it need not be there yet
 * @throws AppError FORBIDDEN for what is outside the folders, also by way of a link
 */
export function requireInside({ folders, command }: Allowed, path: string): void {
  const real = realPath(path)
  if (folders.some((folder) => isInside(realPath(folder), real))) return
  throw new AppError('FORBIDDEN', `“${basename(path)}” is outside the folders that you may use.`, {
    hint: `Use a file in ${folders.join(' or ')}. The person can add a folder with “${command} --folder DIR”.`,
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
