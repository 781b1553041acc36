import { showView } from '../../client/navigation'
import { defineView } from '../../client/view'

export const view = defineView({
  load: async () => (await import('./ConnectionsView')).ConnectionsView,
  actions: {
    'connections.search': async () => {
      await showView('connections')
      await (await import('./store')).searchNetwork()
    },
  },
})
