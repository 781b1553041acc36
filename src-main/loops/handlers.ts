import type { OwnedBy } from '@shared/contract/contract'
import type { Loops } from './loops'
import type { Handlers } from '../bridge/dispatcher'

export type LoopHandlers = Pick<Handlers, Extract<OwnedBy<'bridge'>, `loops.${string}`>>

/** The commands of loops. */
export const createLoopHandlers = ({ loops }: { readonly loops: Loops }): LoopHandlers => ({
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
