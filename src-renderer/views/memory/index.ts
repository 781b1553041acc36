import { defineView } from '../../client/view'
import { inMemoryView } from './commands'

export const view = defineView({
  load: async () => (await import('./MemoryView')).MemoryView,
  actions: {
    'memory.undo': () => inMemoryView(({ undo }) => undo()),
    'memory.redo': () => inMemoryView(({ redo }) => redo()),
    'memory.goto': () => inMemoryView(({ askAddress }) => askAddress()),
    'memory.search': () => inMemoryView(({ search }) => search()),
  },
})
