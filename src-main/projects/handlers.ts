import type { Input } from '@shared/contract/contract'
import { forwardedCommands, type ForwardedCommand } from './worker/messages'
import type { Projects, QuestionOf } from './projects'
import type { AreaHandlers, Handlers } from '../rpc/commands'

export interface ProjectParts {
  readonly projects: Projects
  /** @throws AppError CONFLICT while agents of a loop work in a tree that an edit changes */
  readonly loops: { requireFreeTrees(edit: Input<'projects.writeWithGit'>, folder: string): void }
  readonly provideSample: () => Promise<string>
}

export const createProjectHandlers = ({ projects, loops, provideSample }: ProjectParts): AreaHandlers<'projects'> => ({
  'projects.open': ({ path, isForReading }) => projects.open(path, isForReading),
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
  'projects.pathOf': (input) => projects.pathOf(input),
  'projects.setTrusted': (folder) => projects.setTrusted(folder),
  'projects.distrust': ({ project }) => {
    projects.distrust(project)
    return {}
  },
  'projects.list': () => projects.list(),
  'projects.runs': (input) => projects.runs(input),
  'projects.search': (input, signal) => projects.search(input, signal),
  ...forward(projects),
  'projects.writeWithGit': (input, signal) => {
    loops.requireFreeTrees(input, projects.folderOfRun(input))
    return projects.ask('projects.writeWithGit', input, signal)
  },
})

const forward = (projects: Projects): Pick<Handlers, ForwardedCommand> =>
  Object.fromEntries(
    forwardedCommands.map((name) => [
      name,
      (input: QuestionOf<ForwardedCommand>, signal: AbortSignal) => projects.ask(name, input, signal),
    ]),
  ) as Pick<Handlers, ForwardedCommand>
