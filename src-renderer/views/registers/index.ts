import { defineView } from '../../client/view'

export const view = defineView({
  place: 'right',
  load: async () => (await import('./RegistersView')).RegistersView,
})
