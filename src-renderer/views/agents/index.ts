import { onBridgeReady, onEvent } from '../../client/events'
import { defineView } from '../../client/view'
import { forgetAgents, receiveAgentRuns } from './store'

export const view = defineView({
  load: async () => (await import('./AgentsView')).AgentsView,
  start: () => {
    onBridgeReady(forgetAgents)
    onEvent('agentRuns.changed', receiveAgentRuns)
  },
})
