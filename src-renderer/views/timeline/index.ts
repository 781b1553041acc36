import { onEvent } from '../../client/events'
import { defineView } from '../../client/view'
import { receiveExported } from './exporting'
import { jump } from './jump'

export const view = defineView({
  load: async () => (await import('./TimelineView')).TimelineView,
  actions: {
    'recorder.previousChange': () => jump(-1),
    'recorder.nextChange': () => jump(1),
  },
  start: () => onEvent('recorder.exported', receiveExported),
})
