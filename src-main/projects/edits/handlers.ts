import type { Handlers } from '../../rpc/commands'
import type { Edits } from './edits'

type EditCommand =
  | 'projects.actions'
  | 'projects.preview'
  | 'projects.write'
  | 'projects.writeWithGit'
  | 'projects.edits'
  | 'projects.undo'
  | 'projects.undoable'
  | 'projects.draft'
  | 'projects.keepDraft'

export const createEditHandlers = (edits: Edits): Pick<Handlers, EditCommand> => ({
  'projects.actions': (input) => edits.actions(input),
  'projects.preview': (input) => edits.preview(input),
  'projects.write': (input) => edits.write(input),
  'projects.writeWithGit': (input) => edits.writeWithGit(input),
  'projects.edits': (input) => edits.edits(input),
  'projects.undo': (input) => edits.undo(input),
  'projects.undoable': (input) => edits.undoable(input),
  'projects.draft': (input) => edits.draft(input),
  'projects.keepDraft': (input) => {
    edits.keepDraft(input)
    return {}
  },
})
