import { choose, chosenNow } from '../../client/chosen'
import { showView } from '../../client/navigation'
import { defineView } from '../../client/view'

export const view = defineView({
  load: async () => (await import('./CodeView')).CodeView,
  actions: {
    'code.toggle': async () => {
      choose('code.shown', chosenNow('code.shown') === 'source' ? 'disassembly' : 'source')
      await showView('code')
    },
  },
})
