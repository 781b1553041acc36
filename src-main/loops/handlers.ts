import type { Loops } from './loops'
import type { AreaHandlers } from '../rpc/commands'

/** The commands of loops. */
export const createLoopHandlers = ({ loops }: { readonly loops: Loops }): AreaHandlers<'loops'> => ({
  'loops.list': () => loops.list(),
  'loops.setup': (name) => loops.setup(name),
  'loops.assign': (input) => {
    loops.assign(input)
    return {}
  },
  'loops.start': (name) => loops.start(name),
  'loops.pause': (name) => loops.pause(name),
  'loops.stop': (name) => loops.stop(name),
  'loops.rollBack': (input, signal) => loops.rollBack(input, signal),
  'loops.lines': (input) => loops.lines(input),
})
