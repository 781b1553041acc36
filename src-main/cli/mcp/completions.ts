import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { CompleteRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { AgentSession } from './agentSession'

const MAX_VALUES = 100

export function serveCompletions({ server }: McpServer, { steered }: Pick<AgentSession, 'steered'>): void {
  server.setRequestHandler(CompleteRequestSchema, async ({ params: { ref, argument } }, { signal }) => {
    const isMachine = ref.type === 'ref/resource' && argument.name === 'machine'
    const names = isMachine ? await machineNames(steered, signal) : []
    const values = names.filter((name) => name.startsWith(argument.value))
    return {
      completion: {
        values: values.slice(0, MAX_VALUES),
        total: values.length,
        hasMore: values.length > MAX_VALUES,
      },
    }
  })
}

async function machineNames(steered: AgentSession['steered'], signal: AbortSignal): Promise<string[]> {
  const { client } = await steered.openSession()
  const { machines } = await client.call('machine.list', {}, signal)
  return machines.map(({ machine }) => encodeURIComponent(machine))
}
