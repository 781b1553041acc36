import { forgetCalls, receiveCalled } from '../../client/agentCalls'
import { onBridgeReady, onEvent } from '../../client/events'
import { defineView } from '../../client/view'

export const view = defineView({
  load: async () => (await import('./SteeringView')).SteeringView,
  start: () => {
    onBridgeReady(forgetCalls)
    onEvent('steering.called', receiveCalled)
  },
})
