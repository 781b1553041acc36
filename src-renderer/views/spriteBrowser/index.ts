import { defineView } from '../../client/view'
import { toggleGrab } from './grabbing'
import { copySelected, editSelected, keepSelected, pasteSelected } from './selectedBlocks'

export const view = defineView({
  load: async () => (await import('./SpriteBrowserView')).SpriteBrowserView,
  actions: {
    'spriteBrowser.edit': editSelected,
    'spriteBrowser.keep': keepSelected,
    'spriteBrowser.copy': copySelected,
    'spriteBrowser.paste': pasteSelected,
    'spriteBrowser.grab': toggleGrab,
  },
})
