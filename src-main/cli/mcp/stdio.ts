import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { CommandContext } from '../command'
import { ownPackage } from '../ownPackage'
import { AgentSession } from './agentSession'
import { allowedBy, type Granted } from './allowed'
import { createMcpServer } from './server'

interface Served extends Granted {
  readonly name: string | undefined
}

export async function serveStdio(
  { output: _, signal: __, ...context }: CommandContext,
  { name, ...granted }: Served,
): Promise<{ readonly ended: Promise<void>; close(): Promise<void> }> {
  const { stdin, stdout } = context.streams
  const allowed = allowedBy(granted, context.folder, 'bridgedeck mcp')
  const agent = new AgentSession(context, allowed, () => name ?? server.server.getClientVersion()?.name ?? '')
  const { version } = ownPackage(context.resources)
  const server = createMcpServer({ version, allowed, asksPerson: true, agent })
  const ended = new Promise<void>((done) => {
    const { onclose } = server.server
    server.server.onclose = () => {
      onclose?.()
      done()
    }
    stdin.once('end', done)
  })
  await server.connect(new StdioServerTransport(stdin, stdout))
  return {
    ended,
    close: async () => {
      await server.close()
      await agent.close()
    },
  }
}
