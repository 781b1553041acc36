import { redoSheet, restoreSheet, undoSheet } from '../../client/sheet'
import { defineView } from '../../client/view'
import {
  animateSelected,
  copyFromSheet,
  deleteFromSheet,
  editSelected,
  moveInSheet,
  pasteIntoSheet,
} from './sheetCommands'
import { writeSprites } from './writeSlot'

export const view = defineView({
  load: async () => (await import('./SheetView')).SheetView,
  start: restoreSheet,
  actions: {
    'sheet.undo': undoSheet,
    'sheet.redo': redoSheet,
    'sheet.edit': editSelected,
    'sheet.copy': copyFromSheet,
    'sheet.paste': pasteIntoSheet,
    'sheet.delete': deleteFromSheet,
    'sheet.moveBack': () => moveInSheet(-1),
    'sheet.moveOn': () => moveInSheet(1),
    'sheet.animate': animateSelected,
    'sheet.write': writeSprites,
  },
})
