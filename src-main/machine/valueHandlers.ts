import type { AreaHandlers } from '../rpc/commands'
import type { ValueSearches } from './valueSearches'

export interface ValueParts {
  readonly values: ValueSearches
}

export const createValueHandlers = ({ values }: ValueParts): AreaHandlers<'values'> => ({
  'values.state': ({ machine }) => values.state(machine),
  'values.start': ({ machine, space, size }, signal) => values.start(machine, space, size, signal),
  'values.keep': ({ machine, condition }, signal) => values.keep(machine, condition, signal),
  'values.undo': ({ machine }) => values.undo(machine),
  'values.end': ({ machine }) => values.end(machine),
  'values.freeze': ({ machine, ...value }) => values.freeze(machine, value),
  'values.release': ({ machine, space, address }) => values.release(machine, space, address),
})
