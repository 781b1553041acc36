import { defineView } from '../../client/view'

export const view = defineView({
  place: 'lowerLeft',
  load: async () => (await import('./SpritesView')).SpritesView,
})
