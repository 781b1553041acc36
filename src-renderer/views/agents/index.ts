import { onBridgeReady, onEvent } from '../../client/events'
import { defineView } from '../../client/view'
import { connectAgent, setUpAgent } from '../../client/agents/agentChoice'
import { forgetAgents, receiveAgentRuns } from '../../client/agents/agentRuns'

export const view = defineView({
  load: async () => (await import('./AgentsView')).AgentsView,
  actions: { 'agent.setUp': setUpAgent, 'agent.connect': connectAgent },
  start: () => {
    onBridgeReady(forgetAgents)
    onEvent('agentRuns.changed', receiveAgentRuns)
  },
})
