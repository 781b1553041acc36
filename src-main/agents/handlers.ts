import type { OwnedBy } from '@shared/contract/contract'
import type { Agents } from './agents'
import type { Handlers } from '../bridge/dispatcher'

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
  'agentRuns.live': () => ({
    runs: agents.live.slice(0, 1_000).map(({ run, agent, purpose }) => ({ run, agent, purpose })),
  }),
  'agentRuns.stopAll': async () => ({ stillAlive: [...(await agents.stopAll())].slice(0, 1_000) }),
  'agentRuns.stop': async ({ run }) => ({ stillAlive: [...(await agents.stop(run))] }),
})
