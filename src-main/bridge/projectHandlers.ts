import type { OwnedBy } from '@shared/contract/contract'
import type { Projects } from '../orchestration/projects'
import type { Handlers } from './dispatcher'

export type ProjectHandlers = Pick<Handlers, Extract<OwnedBy<'bridge'>, `projects.${string}`>>

/** The commands of projects. */
export const createProjectHandlers = ({ projects }: { readonly projects: Projects }): ProjectHandlers => ({
  'projects.open': ({ path }) => projects.open(path),
  'projects.reopen': ({ project }) => projects.reopen(project),
  'projects.close': async ({ project }) => {
    await projects.close(project)
    return {}
  },
  'projects.forget': ({ project }) => {
    projects.forget(project)
    return {}
  },
  'projects.list': () => projects.list(),
  'projects.runs': (input) => projects.runs(input),
  'projects.run': (input) => projects.run(input),
  'projects.rows': (input) => projects.rows(input),
  'projects.graph': (input) => projects.graph(input),
  'projects.file': (input) => projects.file(input),
  'projects.journal': (input) => projects.journal(input),
})
