import type { OwnedBy } from '@shared/contract/contract'
import { relayed, type Relayed } from './worker/messages'
import type { Loops } from '../loops/loops'
import type { Projects, QuestionOf } from './projects'
import type { Handlers } from '../bridge/dispatcher'

type ProjectHandlers = Pick<Handlers, Extract<OwnedBy<'bridge'>, `projects.${string}`>>

export interface ProjectParts {
  readonly projects: Projects
  readonly loops: Pick<Loops, 'requireIdle'>
  /** Puts the sample project where it may be changed, and says where that is. */
  readonly provideSample: () => Promise<string>
}

/** The commands of projects. */
export const createProjectHandlers = ({ projects, loops, provideSample }: ProjectParts): ProjectHandlers => ({
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
  'projects.search': (input, signal) => projects.search(input, signal),
  ...handOn(projects),
  'projects.writeWithGit': (input, signal) => {
    loops.requireIdle(input.project)
    return projects.ask('projects.writeWithGit', input, signal)
  },
})

const handOn = (projects: Projects): Pick<Handlers, Relayed> =>
  Object.fromEntries(
    relayed.map((name) => [
      name,
      (input: QuestionOf<Relayed>, signal: AbortSignal) => projects.ask(name, input, signal),
    ]),
  ) as Pick<Handlers, Relayed>
