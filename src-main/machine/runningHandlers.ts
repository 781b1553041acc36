import type { AreaHandlers } from '../rpc/commands'
import { AppError } from '@shared/contract/errors'
import { MAX_NOTED_BYTES, type NotedByte } from '@shared/contract/running'
import { loadedInto } from './loadedPrograms'
import { requireFacet } from './machine'
import { outcomeOf } from './outcome'
import type { MachineManager } from './manager'
import { requireProgramRunnable } from './runnable'
import { tooManyNoted } from './refusals'

const notedBytes = (machines: MachineManager, machine: string): NotedByte[] => [
  ...(machines.live(machine).writeNotes?.list() ?? []),
  ...machines.managed(machine).sampledWrites.list,
]

export const createRunningHandlers = ({
  machines,
}: {
  readonly machines: MachineManager
}): AreaHandlers<'running'> => ({
  'running.to': async ({ machine, to }, signal) => {
    await requireFacet(machines.live(machine), 'step').runTo(to, signal)
    return {}
  },
  'running.outcome': ({ machine, awaits, seconds }, signal) =>
    outcomeOf(machines.live(machine), { awaits, seconds }, signal),
  'running.requireRunnable': ({ machine, title, bytes, at }) => {
    const { programs } = machines.live(machine)
    if (programs) requireProgramRunnable(programs, { title, bytes, ...(at === undefined ? {} : { at }) })
    return {}
  },
  'running.slowly': async ({ machine, ...slow }, signal) => {
    await requireFacet(machines.live(machine), 'slowMotion').run(slow, signal)
    return {}
  },
  'running.profile': ({ machine, frames }, signal) =>
    requireFacet(machines.live(machine), 'profile').profile(frames, signal),
  'running.interrupts': ({ machine, frames }, signal) =>
    requireFacet(machines.live(machine), 'interrupts').follow(frames, signal),
  'running.videoFrame': ({ machine }, signal) => requireFacet(machines.live(machine), 'videoFrame').follow(signal),
  'running.rasterFrame': ({ machine }, signal) => requireFacet(machines.live(machine), 'rasterFrame').follow(signal),
  'running.trace': ({ machine, count, frames }, signal) =>
    requireFacet(machines.live(machine), 'trace').trace(count, frames, signal),
  'running.noteWrites': async ({ machine, address }, signal) => {
    const live = machines.live(machine)
    if (live.timeTravel)
      throw new AppError('UNSUPPORTED', `${live.status.title} knows who wrote each byte without being told to note it.`)
    const { sampledWrites } = machines.managed(machine)
    const { writeNotes } = live
    if (writeNotes?.list().some((byte) => byte.address === address)) return {}
    const isSampled = sampledWrites.list.some((byte) => byte.address === address)
    if (!isSampled && notedBytes(machines, machine).length >= MAX_NOTED_BYTES) throw tooManyNoted()
    const reason = writeNotes ? await writeNotes.note(address, signal) : null
    if (reason !== null || !writeNotes) sampledWrites.note(address, reason)
    else sampledWrites.end(address)
    return {}
  },
  'running.endNotes': async ({ machine, address }, signal) => {
    await machines.live(machine).writeNotes?.end(address, signal)
    machines.managed(machine).sampledWrites.end(address)
    return {}
  },
  'running.loaded': ({ machine }) => ({ programs: [...loadedInto(machines.live(machine)).list] }),
  'running.notedWrites': ({ machine }) => Promise.resolve({ bytes: notedBytes(machines, machine) }),
  'running.coverage': ({ machine, seconds }, signal) =>
    requireFacet(machines.live(machine), 'profile').coverage(seconds, signal),
})
