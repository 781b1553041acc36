/** What an agent may do, as the person said when they started the server. */
import { basename, resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { GrantableRight } from '@shared/contract/steering'
import { agentFolders, isInFolders, type AgentFolders } from '../../files/agentFolders'

export interface Allowed {
  /** Without asking the person. */
  readonly granted: readonly GrantableRight[]
  /** Whose files it may use. */
  readonly folders: AgentFolders
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
  folders: agentFolders((folders.length === 0 ? ['.'] : folders).map((folder) => resolve(workingFolder, folder))),
  command,
})

/**
 * @param path absolute; it need not be there yet
 * @throws AppError FORBIDDEN for what is outside the folders, also by way of a link
 */
export function requireInside({ folders, command }: Allowed, path: string): void {
  if (isInFolders(folders, path)) return
  throw new AppError('FORBIDDEN', `“${basename(path)}” is outside the folders that you may use.`, {
    hint: `Use a file in ${folders.names.join(' or ')}. The person can add a folder with “${command} --folder DIR”.`,
  })
}
