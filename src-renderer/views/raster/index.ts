import { rasterFrames } from '../../client/rasterFrames'
import { defineView } from '../../client/view'

export const view = defineView({
  load: async () => (await import('./RasterView')).RasterView,
  actions: { 'raster.readFrame': rasterFrames.readNext },
})
