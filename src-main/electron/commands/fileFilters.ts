import type { FileFilter } from '../dialogs'

export const anyFile: FileFilter = { name: 'All files', extensions: ['*'] }
