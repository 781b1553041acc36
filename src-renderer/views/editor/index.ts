import { openInEditor } from '../../client/edited'
import { showView } from '../../client/navigation'
import { defineView } from '../../client/view'

/**
 * True in the pixels, where each key is done before the next. Also true on a button that was reached by keyboard, since
 * the next Space is not for the pixels.
 */
const hasKeyboard = (): boolean =>
  document.activeElement?.matches('[data-panel="editor"] :is(.editor-stage, button:focus-visible)') ?? false

/** The editor is loaded with its view, so its commands show the view first. */
async function inEditor(command: (parts: typeof import('./controller')) => void): Promise<void> {
  if (!hasKeyboard()) await showView('editor')
  command(await import('./controller'))
}

export const view = defineView({
  load: async () => (await import('./EditorView')).EditorView,
  actions: {
    'editor.openSprite': async () => {
      await showView('editor')
      ;(await import('./models')).openFirstSprite()
    },
    'editor.openScreen': () => openInEditor({ kind: 'screen' }),
    'editor.openBitmap': () => openInEditor({ kind: 'bitmap' }),
    'editor.toSheet': async () => {
      await showView('editor')
      ;(await import('./toSheet')).keepEdited()
    },
    'editor.writeAgain': () => inEditor(({ editor }) => editor.writeAgain()),
    'editor.takeBack': () => inEditor(({ editor }) => editor.takeBack()),
    'editor.undo': () => inEditor(({ editor }) => editor.undo()),
    'editor.redo': () => inEditor(({ editor }) => editor.redo()),
    'editor.copy': () => inEditor(({ editor }) => editor.copy()),
    'editor.paste': () => inEditor(({ editor }) => editor.paste()),
    'editor.selectAll': () => inEditor(({ editor }) => editor.selectAll()),
    'editor.clear': () => inEditor(({ editor }) => editor.clear()),
    'editor.mirrorX': () => inEditor(({ editor }) => editor.mirror('x')),
    'editor.mirrorY': () => inEditor(({ editor }) => editor.mirror('y')),
    'editor.rotate': () => inEditor(({ editor }) => editor.rotate()),
    'editor.invert': () => inEditor(({ editor }) => editor.invert()),
    'editor.exchange': () => inEditor(({ editor }) => editor.exchange()),
    'editor.reverse': () => inEditor(({ editor }) => editor.reverse()),
    'editor.multicolour': () => inEditor(({ editor }) => editor.toggleMulticolour()),
    'editor.shiftLeft': () => inEditor(({ editor }) => editor.shift(-1, 0)),
    'editor.shiftRight': () => inEditor(({ editor }) => editor.shift(1, 0)),
    'editor.shiftUp': () => inEditor(({ editor }) => editor.shift(0, -1)),
    'editor.shiftDown': () => inEditor(({ editor }) => editor.shift(0, 1)),
  },
})
