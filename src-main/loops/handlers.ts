import type { Loops } from './loops'
import { OwnHooks } from './maestro/hooks/ownHooks'
import type { AreaHandlers } from '../rpc/commands'

export function createLoopHandlers({ loops }: { readonly loops: Loops }): AreaHandlers<'loops'> {
  const ownHooks = new OwnHooks()
  return {
    'loops.list': () => loops.list(),
    'loops.estimate': async (name) => ({ estimate: await loops.estimate(name) }),
    'loops.setup': (name, signal) => loops.setup.read(name, signal),
    'loops.assign': (input) => {
      loops.setup.assign(input)
      return {}
    },
    'loops.acceptEnv': async (input) => {
      await loops.setup.acceptEnv(input)
      return {}
    },
    'loops.chooseOptions': (input) => {
      loops.setup.chooseOptions(input)
      return {}
    },
    'loops.wantWorktree': (input) => {
      loops.setup.wantWorktree(input)
      return {}
    },
    'loops.worktrees': async ({ project }, signal) => ({ worktrees: await loops.worktrees(project, signal) }),
    'loops.worktree': (input, signal) => loops.previewRemoval(input, signal),
    'loops.removeWorktree': (input, signal) => loops.removeWorktree(input, signal),
    'loops.init': (input) => loops.init(input),
    'loops.testAgent': (input, signal) => loops.setup.test(input, signal),
    'loops.createRepository': async ({ project }, signal) => ({ state: await loops.createRepository(project, signal) }),
    'loops.start': (name) => loops.start(name),
    'loops.dispatch': (name) => loops.start({ ...name, system: 'maestro' }),
    'loops.pause': (name) => loops.pause(name),
    'loops.stop': (name) => loops.stop(name),
    'loops.rollBack': (input, signal) => loops.rollBack(input, signal),
    'loops.turn': (input) => loops.turn(input),
    'loops.commits': (input) => loops.commits(input),
    'loops.failedStarts': ({ project }) => ({ starts: [...loops.failedStarts.of(project)] }),
    'loops.hookDecisions': async ({ project }) => ({
      decisions: await loops.hookDecisions(project),
      own: await ownHooks.found(),
    }),
    'loops.previewOwnHooks': (input) => ownHooks.preview(input),
    'loops.writeOwnHooks': (input) => ownHooks.write(input),
    'loops.undoOwnHooks': () => ownHooks.undo(),
    'loops.lines': (input) => loops.lines(input),
  }
}
