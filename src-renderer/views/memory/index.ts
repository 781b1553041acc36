import { defineView } from '../../client/view'
import { onEvent } from '../../client/events'
import { inMemoryView } from './commands'
import { receiveNotesChanged } from './search/notes'
import { receiveLoadedChanged } from './search/programParts'
import { receiveSnapshotsChanged } from './search/snapshots'
import { receiveValuesChanged } from './search/values'

export const view = defineView({
  load: async () => (await import('./MemoryView')).MemoryView,
  start: () => {
    onEvent('values.changed', receiveValuesChanged)
    onEvent('running.loadedChanged', receiveLoadedChanged)
    onEvent('notes.changed', receiveNotesChanged)
    onEvent('snapshots.changed', receiveSnapshotsChanged)
  },
  actions: {
    'memory.undo': () => inMemoryView(({ undo }) => undo()),
    'memory.redo': () => inMemoryView(({ redo }) => redo()),
    'memory.goto': () => inMemoryView(({ askAddress }) => askAddress()),
    'memory.labels': () => inMemoryView(({ showLabels }) => showLabels()),
    'memory.openPane': () => inMemoryView(({ openPane }) => openPane()),
    'memory.zeroPage': () => inMemoryView(({ openZeroPage }) => openZeroPage()),
    'memory.closePane': () => inMemoryView(({ closePane }) => closePane()),
    'memory.nextPane': () => inMemoryView(({ nextPane }) => nextPane()),
    'memory.search': () => inMemoryView(({ search }) => search()),
  },
})
