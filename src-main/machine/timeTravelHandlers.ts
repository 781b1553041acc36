import type { AreaHandlers } from '../rpc/commands'
import type { FacetFor } from './facets'
import { requireFacet } from './machine'
import type { MachineManager } from './manager'

export function createTimeTravelHandlers({
  machines,
}: {
  readonly machines: MachineManager
}): AreaHandlers<'timeTravel'> {
  const facet = (machine: string): FacetFor<'timeTravel'> => requireFacet(machines.live(machine), 'timeTravel')
  return {
    'timeTravel.goTo': async ({ machine, beforeEnd }, signal) => {
      await facet(machine).goTo(beforeEnd, signal)
      return {}
    },
    'timeTravel.back': async ({ machine, unit, count }, signal) => {
      await facet(machine).back(unit, count, signal)
      return {}
    },
    'timeTravel.toCheckpoint': async ({ machine }, signal) => {
      await facet(machine).toCheckpoint(signal)
      return {}
    },
    'timeTravel.toWrite': async ({ machine, address }, signal) => {
      await facet(machine).toWrite(address, signal)
      return {}
    },
    'timeTravel.toLeftFuture': async ({ machine }, signal) => {
      await facet(machine).toLeftFuture(signal)
      return {}
    },
    'timeTravel.byteHistory': ({ machine, address }, signal) => facet(machine).byteHistory(address, signal),
    'timeTravel.inputs': ({ machine }, signal) => facet(machine).inputs(signal),
  }
}
