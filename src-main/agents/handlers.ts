import type { Agents } from './agents'
import { findAgents } from './findAgents'
import type { PriceFile } from './prices/priceFile'
import type { AreaHandlers } from '../rpc/commands'

interface AgentParts {
  readonly agents: Agents
  readonly prices: PriceFile
}

export const createAgentHandlers = ({ agents, prices }: AgentParts): AreaHandlers<'agents'> => ({
  'agents.list': () => agents.setups.list(),
  'agents.find': async (_input, signal) => ({ found: await findAgents(signal) }),
  'agents.prices': () => prices.shown,
  'agents.createPrices': () => {
    prices.create()
    return { path: prices.path }
  },
  'agents.save': (agent) => {
    agents.setups.save(agent)
    return {}
  },
  'agents.remove': ({ name }) => {
    agents.setups.remove(name)
    return {}
  },
  'agents.try': ({ name }) => agents.try(name),
})

export const createAgentRunHandlers = ({ agents }: Pick<AgentParts, 'agents'>): AreaHandlers<'agentRuns'> => ({
  'agentRuns.list': (input) => agents.runs(input),
  'agentRuns.log': (input) => agents.readLog(input),
  'agentRuns.steps': (input) => agents.readSteps(input),
  'agentRuns.search': (input, signal) => agents.searchLog(input, signal),
  'agentRuns.live': () => ({
    runs: agents.live.slice(0, 1_000).map(({ run, agent, purpose }) => ({ run, agent, purpose })),
  }),
  'agentRuns.stopAll': async () => ({ stillAlive: [...(await agents.stopAll())].slice(0, 1_000) }),
  'agentRuns.stop': async ({ run }) => ({ stillAlive: [...(await agents.stop(run))] }),
})
