import type { OwnedBy } from '@shared/contract/contract'
import type { Agents } from '../agents/agents'
import type { Handlers } from './dispatcher'

export type AgentHandlers = Pick<Handlers, Extract<OwnedBy<'bridge'>, `agents.${string}` | `agentRuns.${string}`>>

/** The commands of agents and their runs. */
export const createAgentHandlers = ({ agents }: { readonly agents: Agents }): AgentHandlers => ({
  'agents.list': () => agents.list(),
  'agents.save': (agent) => {
    agents.save(agent)
    return {}
  },
  'agents.remove': ({ name }) => {
    agents.remove(name)
    return {}
  },
  'agents.try': ({ name }) => agents.try(name),
  'agentRuns.list': (input) => agents.runs(input),
  'agentRuns.log': (input) => agents.readLog(input),
  'agentRuns.search': (input, signal) => agents.searchLog(input, signal),
  'agentRuns.stop': async ({ run }) => ({ stillAlive: [...(await agents.stop(run))] }),
})
