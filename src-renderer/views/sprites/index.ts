import { videoFrames } from '../../client/videoFrames'
import { defineView } from '../../client/view'

export const view = defineView({
  load: async () => (await import('./SpritesView')).SpritesView,
  actions: { 'sprites.readFrame': videoFrames.readNext },
})
