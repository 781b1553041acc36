import { basename, resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { GrantableRight } from '@shared/contract/steering'
import { agentFolders, isInFolders, type AgentFolders } from '../../files/agentFolders'

export interface Allowed {
  readonly granted: readonly GrantableRight[]
  readonly folders: AgentFolders
  readonly command: ServerCommand
}

type ServerCommand = 'bridgedeck mcp' | 'bridgedeck serve'

export interface Granted {
  readonly rights: readonly GrantableRight[]
  readonly folders: readonly string[]
}

export const allowedBy = ({ rights, folders }: Granted, workingFolder: string, command: ServerCommand): Allowed => ({
  granted: rights,
  folders: agentFolders((folders.length === 0 ? ['.'] : folders).map((folder) => resolve(workingFolder, folder))),
  command,
})

/**
 * @param path absolute; it may not exist yet
 * @throws AppError FORBIDDEN for what is outside the folders, also by way of a link
 */
export function requireInside({ folders, command }: Allowed, path: string): void {
  if (isInFolders(folders, path)) return
  throw new AppError('FORBIDDEN', `“${basename(path)}” is outside the folders that you may use.`, {
    hint: `Use a file in ${folders.names.join(' or ')}. The person can add a folder with “${command} --folder DIR”.`,
  })
}
