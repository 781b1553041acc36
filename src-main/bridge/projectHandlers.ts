import type { OwnedBy } from '@shared/contract/contract'
import type { editsCommands } from '@shared/contract/edits'
import type { Projects } from '../orchestration/projects'
import type { Handlers } from './dispatcher'

export type ProjectHandlers = Pick<Handlers, Exclude<Extract<OwnedBy<'bridge'>, `projects.${string}`>, keyof typeof editsCommands>>

export interface ProjectParts {
  readonly projects: Projects
  /** Puts the sample project where it may be changed, and says where that is. */
  readonly provideSample: () => Promise<string>
}

/** The commands of projects. */
export const createProjectHandlers = ({ projects, provideSample }: ProjectParts): ProjectHandlers => ({
  'projects.open': ({ path }) => projects.open(path),
  'projects.openSample': async () => projects.open(await provideSample()),
  'projects.reopen': ({ project }) => projects.reopen(project),
  'projects.close': async ({ project }) => {
    await projects.close(project)
    return {}
  },
  'projects.forget': ({ project }) => {
    projects.forget(project)
    return {}
  },
  'projects.folder': ({ project }) => projects.folder(project),
  'projects.setTrusted': (folder) => projects.setTrusted(folder),
  'projects.distrust': ({ project }) => {
    projects.distrust(project)
    return {}
  },
  'projects.list': () => projects.list(),
  'projects.runs': (input) => projects.runs(input),
  'projects.run': (input, signal) => projects.ask('projects.run', input, signal),
  'projects.rows': (input, signal) => projects.ask('projects.rows', input, signal),
  'projects.details': (input, signal) => projects.ask('projects.details', input, signal),
  'projects.graph': (input, signal) => projects.ask('projects.graph', input, signal),
  'projects.file': (input, signal) => projects.ask('projects.file', input, signal),
  'projects.moments': (input, signal) => projects.ask('projects.moments', input, signal),
  'projects.compare': (input, signal) => projects.ask('projects.compare', input, signal),
  'projects.search': (input, signal) => projects.search(input, signal),
  'projects.journal': (input, signal) => projects.ask('projects.journal', input, signal),
})
