import { defineView } from '../../client/view'
import { editSelected, keepSelected } from './selectedBlocks'

export const view = defineView({
  load: async () => (await import('./SpriteBrowserView')).SpriteBrowserView,
  actions: {
    'spriteBrowser.edit': editSelected,
    'spriteBrowser.keep': keepSelected,
  },
})
