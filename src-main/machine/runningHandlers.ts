import type { AreaHandlers } from '../rpc/commands'
import { requireFacet } from './machine'
import type { MachineManager } from './manager'

export const createRunningHandlers = ({
  machines,
}: {
  readonly machines: MachineManager
}): AreaHandlers<'running'> => ({
  'running.to': async ({ machine, to }, signal) => {
    await requireFacet(machines.live(machine), 'step').runTo(to, signal)
    return {}
  },
  'running.slowly': async ({ machine, ...slow }, signal) => {
    await requireFacet(machines.live(machine), 'slowMotion').run(slow, signal)
    return {}
  },
  'running.profile': ({ machine, frames }, signal) =>
    requireFacet(machines.live(machine), 'trace').profile(frames, signal),
  'running.trace': ({ machine, count, frames }, signal) =>
    requireFacet(machines.live(machine), 'trace').trace(count, frames, signal),
  'running.coverage': ({ machine, seconds }, signal) =>
    requireFacet(machines.live(machine), 'trace').coverage(seconds, signal),
})
