import type { OwnedBy } from '@shared/contract/contract'
import type { editsCommands } from '@shared/contract/edits'
import type { Projects } from '../orchestration/projects'
import type { Handlers } from './dispatcher'

export type EditHandlers = Pick<Handlers, Extract<OwnedBy<'bridge'>, keyof typeof editsCommands>>

/** The commands that change the files of runs. */
export const createEditHandlers = ({ projects }: { readonly projects: Projects }): EditHandlers => ({
  'projects.actions': (input, signal) => projects.ask('projects.actions', input, signal),
  'projects.preview': (input, signal) => projects.ask('projects.preview', input, signal),
  'projects.write': (input, signal) => projects.ask('projects.write', input, signal),
  'projects.writeWithGit': (input, signal) => projects.ask('projects.writeWithGit', input, signal),
  'projects.edits': (input, signal) => projects.ask('projects.edits', input, signal),
  'projects.undo': (input, signal) => projects.ask('projects.undo', input, signal),
  'projects.draft': (input, signal) => projects.ask('projects.draft', input, signal),
  'projects.keepDraft': (input, signal) => projects.ask('projects.keepDraft', input, signal),
})
