import type { AreaHandlers } from '../rpc/commands'
import type { Author, Notebooks } from './notebooks'

export interface NoteParts {
  readonly notebooks: Notebooks
  readonly author: () => Author
  readonly openFolders: () => readonly string[]
}

export const createNoteHandlers = ({ notebooks, author, openFolders }: NoteParts): AreaHandlers<'notes'> => ({
  'notes.read': ({ folder }) => notebooks.read(folder),
  'notes.write': ({ folder, change }) => notebooks.write(folder, change, author()),
  'notes.list': async () => ({ notebooks: await notebooks.list(openFolders()) }),
  'notes.edit': ({ notebook, change }) => notebooks.edit(notebook, change, author()),
})
