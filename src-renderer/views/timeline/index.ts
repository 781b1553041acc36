import { onEvent } from '../../client/events'
import { defineView } from '../../client/view'
import { followMarks, markThisMoment, receiveMarked } from '../../frames/marks'
import { receiveExported } from './exporting'
import { jump, jumpToMark } from './jump'

export const view = defineView({
  load: async () => (await import('./TimelineView')).TimelineView,
  actions: {
    'recorder.previousChange': () => jump(-1),
    'recorder.nextChange': () => jump(1),
    'recorder.mark': markThisMoment,
    'recorder.previousMark': () => jumpToMark(-1),
    'recorder.nextMark': () => jumpToMark(1),
  },
  start: () => {
    onEvent('recorder.exported', receiveExported)
    onEvent('recorder.marked', receiveMarked)
    followMarks()
  },
})
