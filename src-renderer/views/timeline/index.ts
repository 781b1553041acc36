import { onEvent } from '../../client/events'
import { defineView } from '../../client/view'
import { receiveExported } from './exporting'

export const view = defineView({
  load: async () => (await import('./TimelineView')).TimelineView,
  start: () => onEvent('recorder.exported', receiveExported),
})
