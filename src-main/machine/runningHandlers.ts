import type { AreaHandlers } from '../rpc/commands'
import { AppError } from '@shared/contract/errors'
import { loadedInto } from './loadedPrograms'
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
  'running.interrupts': ({ machine, frames }, signal) =>
    requireFacet(machines.live(machine), 'trace').interrupts(frames, signal),
  'running.trace': ({ machine, count, frames }, signal) =>
    requireFacet(machines.live(machine), 'trace').trace(count, frames, signal),
  'running.noteWrites': async ({ machine, address }, signal) => {
    const live = machines.live(machine)
    if (live.timeTravel)
      throw new AppError('UNSUPPORTED', `${live.status.title} knows who wrote each byte without being told to note it.`)
    if (live.writeNotes) await live.writeNotes.note(address, signal)
    else machines.managed(machine).sampledWrites.note(address)
    return {}
  },
  'running.endNotes': async ({ machine, address }, signal) => {
    await machines.live(machine).writeNotes?.end(address, signal)
    machines.managed(machine).sampledWrites.end(address)
    return {}
  },
  'running.notedWrites': ({ machine }) =>
    Promise.resolve({
      bytes: machines.live(machine).writeNotes?.list() ?? machines.managed(machine).sampledWrites.list,
    }),
  'running.loaded': ({ machine }) => ({ programs: [...loadedInto(machines.live(machine)).list] }),
  'running.coverage': ({ machine, seconds }, signal) =>
    requireFacet(machines.live(machine), 'trace').coverage(seconds, signal),
})
