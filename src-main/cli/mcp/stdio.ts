import { resolve } from 'node:path'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { GrantableRight } from '@shared/contract/steering'
import type { CommandContext } from '../command'
import { ownVersion } from '../ownVersion'
import { createMcpServer } from './server'

interface Wanted {
  readonly rights: readonly GrantableRight[]
  /** As written; none for the working folder. */
  readonly folders: readonly string[]
}

/** Serves the agent that started this process, until it closes standard input. */
export async function serveStdio(
  { output: _, signal: __, ...context }: CommandContext,
  { rights, folders }: Wanted,
): Promise<{ readonly ended: Promise<void>; close(): Promise<void> }> {
  const server = createMcpServer({
    version: ownVersion(context.resources),
    granted: rights,
    allowed: {
      folders: (folders.length === 0 ? ['.'] : folders).map((folder) => resolve(context.folder, folder)),
    },
    // One in the background stays when this process ends, so that what an agent began goes on.
    context: { ...context, openSession: (taskHome) => context.openSession(taskHome, 'untilIdle') },
  })
  const ended = new Promise<void>((done) => {
    const { onclose } = server.server
    server.server.onclose = () => {
      onclose?.()
      done()
    }
    process.stdin.once('end', done)
  })
  await server.connect(new StdioServerTransport())
  return { ended, close: () => server.close() }
}
