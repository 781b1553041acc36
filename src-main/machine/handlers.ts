import { basename } from 'node:path'
import { builtInNames, findAmong, type NamedAddress } from '@shared/c64/labels/names'
import { MAX_PATTERN_BYTES } from '@shared/c64/search/bytePattern'
import { searchMemory, type SearchKind } from '@shared/c64/search/searchMemory'
import type { StandInRom } from '@shared/c64/standInRom'
import { AppError } from '@shared/contract/errors'
import type { Binding, Checkpoint, CheckpointChanges, NewCheckpoint } from '@shared/contract/checkpoints'
import { isDriveSpace, MAX_MATCHES, type MemorySpace } from '@shared/contract/memory'
import { describeFileError } from '../files/fileErrors'
import { readBounded } from '../files/readBounded'
import { replaceChosenFile } from '../files/stagedWrite'
import type { AreaHandlers, Emit } from '../rpc/commands'
import type { FacetCapability, FacetFor } from './facets'
import { bootToPrompt, untilPrompt } from './bootToPrompt'
import { loadedInto, resetMachine } from './loadedPrograms'
import { holdJoystick, holdKeys } from './heldInputs'
import { requireFacet, writeRuns, type Machine } from './machine'
import type { MachineManager } from './manager'
import { checkSong, listPrograms, readProgram, type Programs } from './programs'

export interface MachineParts {
  readonly machines: MachineManager
  readonly programs: Programs
  readonly passwords: {
    explain(machine: string, error: unknown): unknown
    forget(machine: string): void
  }
  readonly emit: Emit
  readonly checkpoints: {
    set(machine: string, checkpoint: NewCheckpoint, signal: AbortSignal): Promise<Checkpoint>
    change(machine: string, number: number, changes: CheckpointChanges, signal: AbortSignal): Promise<Checkpoint>
    enable(machine: string, number: number, enabled: boolean, signal: AbortSignal): Promise<string | null>
    delete(machine: string, number: number, signal: AbortSignal): Promise<void>
    boundTo(machine: string, checkpoint: Checkpoint): Binding
    follow(machine: string): Promise<void>
  }
}

/** A built-in C64's state is some 70 KiB, but its past has ten minutes of outside input. */
const MAX_STATE_BYTES = 64 * 1024 * 1024

const MAX_ROM_BYTES = 0x8000

/** Above the image of a 16 MiB memory expansion. */
const MAX_TRANSFER_BYTES = 32 * 1024 * 1024

const facetFinder =
  (machines: MachineManager) =>
  <Name extends FacetCapability>(machine: string, capability: Name): FacetFor<Name> =>
    requireFacet(machines.live(machine), capability)

export const createMachineHandlers = (parts: MachineParts): AreaHandlers<'machine'> => ({
  ...connectionHandlers(parts),
  ...controlHandlers(parts),
  ...inputHandlers(parts),
  ...programHandlers(parts),
  ...driveHandlers(parts),
  ...settingHandlers(parts),
  ...checkpointHandlers(parts),
})

function connectionHandlers({ machines, passwords, programs, checkpoints }: MachineParts) {
  const facet = facetFinder(machines)
  return {
    'machine.list': () => ({ machines: machines.states }),
    'machine.connect': async ({ machine, toPrompt }, signal) => {
      const wasLive = machines.stateOf(machine)?.connection === 'live'
      try {
        const state = await machines.connect(machine, signal)
        void checkpoints.follow(machine)
        if (!toPrompt) return state
        // A machine live in warp is booted by another call, or its user wants warp: it stays in warp.
        if (wasLive) await untilPrompt(machines.live(machine), signal)
        else await bootToPrompt(machines.live(machine), signal)
        return machines.managed(machine).state
      } catch (error) {
        throw passwords.explain(machine, error)
      }
    },
    'machine.disconnect': async ({ machine }) => {
      await programs.stopWatching(machine)
      await machines.disconnect(machine)
      passwords.forget(machine)
      return {}
    },
    'machine.release': async ({ machine }) => {
      if (await machines.release(machine)) passwords.forget(machine)
      return {}
    },
    'machine.setSampling': async ({ machine, mode, rate }) => {
      const managed = machines.managed(machine)
      const limit = mode === 'lockStep' ? managed.machine.unsupported.lockStep : undefined
      if (limit !== undefined) throw new AppError('UNSUPPORTED', limit)
      await managed.setSampling(mode, rate)
      return {}
    },
    'machine.setStream': async ({ machine, stream, on }, signal) => {
      await facet(machine, `${stream}Stream`).set(stream, on, signal)
      return {}
    },
  } satisfies Partial<AreaHandlers<'machine'>>
}

function controlHandlers({ machines }: MachineParts) {
  const facet = facetFinder(machines)
  return {
    'machine.pause': async ({ machine }, signal) => {
      await facet(machine, 'pause').pause(signal)
      return {}
    },
    'machine.resume': async ({ machine }, signal) => {
      await facet(machine, 'pause').resume(signal)
      return {}
    },
    'machine.step': async ({ machine, count, over }, signal) => {
      await facet(machine, 'step').step(count, over, signal)
      return {}
    },
    'machine.reset': async ({ machine, kind }, signal) => {
      await resetMachine(machines.live(machine), kind, signal)
      return {}
    },
    'machine.setWarp': async ({ machine, warp }, signal) => {
      await facet(machine, 'warp').setWarp(warp, signal)
      return {}
    },
    'machine.setStandard': async ({ machine, standard }, signal) => {
      await facet(machine, 'standard').setStandard(standard, signal)
      return {}
    },
    'machine.quit': async ({ machine }, signal) => {
      await facet(machine, 'quit').quit(signal)
      return {}
    },
    'machine.reboot': async ({ machine }, signal) => {
      await facet(machine, 'reboot').reboot(signal)
      loadedInto(machines.machine(machine)).forget()
      return {}
    },
    'machine.powerOff': async ({ machine }, signal) => {
      await facet(machine, 'powerOff').powerOff(signal)
      loadedInto(machines.machine(machine)).forget()
      return {}
    },
    'machine.pressMenuButton': async ({ machine }, signal) => {
      await facet(machine, 'menuButton').pressMenuButton(signal)
      return {}
    },
  } satisfies Partial<AreaHandlers<'machine'>>
}

function inputHandlers({ machines }: MachineParts) {
  const facet = facetFinder(machines)
  return {
    'machine.typeText': async ({ machine, text }, signal) => {
      await facet(machine, 'typeText').typeText(text, signal)
      return {}
    },
    'machine.setKeys': async ({ machine, keys }, signal) => {
      await holdKeys(machines.live(machine), keys, signal)
      return {}
    },
    'machine.setJoystick': async ({ machine, port, inputs }, signal) => {
      await holdJoystick(machines.live(machine), { port, inputs }, signal)
      return {}
    },
  } satisfies Partial<AreaHandlers<'machine'>>
}

function programHandlers({ machines, programs, emit }: MachineParts) {
  const facet = facetFinder(machines)
  return {
    'machine.runProgram': ({ machine, path, title, watch, song, entry }, signal) =>
      programs.run(machine, { path, title, song, entry }, watch, signal),
    'machine.imagePrograms': async ({ path }) => ({ programs: await listPrograms(path) }),
    'machine.stopWatching': async ({ machine }) => {
      await programs.stopWatching(machine)
      return {}
    },
    'machine.saveState': async ({ machine, path, past }, signal) => {
      const state = await facet(machine, 'saveState').save(past, signal)
      await writeBytes(path, state)
      return {}
    },
    'machine.loadState': async ({ machine, path }, signal) => {
      const state = facet(machine, 'saveState')
      await state.load(await readBounded(path, MAX_STATE_BYTES), signal)
      loadedInto(machines.live(machine)).forget()
      return {}
    },
    'machine.files': async ({ machine, path }, signal) => ({
      files: await facet(machine, 'files').list(path, signal),
    }),
    'machine.uploadFile': async ({ machine, path, folder, replace }, signal) => {
      const transfers = facet(machine, 'transferFiles')
      const bytes = await readBounded(path, MAX_TRANSFER_BYTES)
      const to = `${folder.replace(/\/+$/, '')}/${basename(path)}`
      await transfers.write(to, bytes, replace, signal, (sent) =>
        emit('machine.transferred', { machine, path: to, bytes: sent, total: bytes.length }),
      )
      return { path: to, size: bytes.length }
    },
    'machine.downloadFile': async ({ machine, from, path }, signal) => {
      const bytes = await facet(machine, 'transferFiles').read(from, signal, (received) =>
        emit('machine.transferred', { machine, path: from, bytes: received, total: null }),
      )
      await writeBytes(path, bytes)
      return { size: bytes.length }
    },
    'machine.createImage': async ({ machine, path, title }, signal) => {
      await facet(machine, 'createImage').create(path, title, signal)
      return {}
    },
    'machine.runFile': async ({ machine, path, song }, signal) => {
      checkSong(song, basename(path), requireFacet(machines.live(machine), 'runProgram'))
      await facet(machine, 'runFile').run(path, signal, song)
      loadedInto(machines.live(machine)).forget()
      return {}
    },
  } satisfies Partial<AreaHandlers<'machine'>>
}

function driveHandlers({ machines }: MachineParts) {
  const facet = facetFinder(machines)
  return {
    'machine.drives': async ({ machine }, signal) => ({
      drives: await facet(machine, 'drives').list(signal),
    }),
    'machine.mountImage': async ({ machine, drive, path, mode }, signal) => {
      const drives = facet(machine, 'drives')
      await drives.mount(drive, { name: basename(path), bytes: await readProgram(path) }, mode, signal)
      return {}
    },
    'machine.mountFile': async ({ machine, drive, path, mode }, signal) => {
      await facet(machine, 'drives').mountStored(drive, path, mode, signal)
      return {}
    },
    'machine.removeImage': async ({ machine, drive }, signal) => {
      await facet(machine, 'drives').remove(drive, signal)
      return {}
    },
    'machine.setDriveMode': async ({ machine, drive, mode }, signal) => {
      await facet(machine, 'drives').setMode(drive, mode, signal)
      return {}
    },
    'machine.setDriveEnabled': async ({ machine, drive, enabled }, signal) => {
      await facet(machine, 'drives').setEnabled(drive, enabled, signal)
      return {}
    },
    'machine.resetDrive': async ({ machine, drive }, signal) => {
      await facet(machine, 'drives').reset(drive, signal)
      return {}
    },
    'machine.loadDriveRom': async ({ machine, drive, path }, signal) => {
      const drives = facet(machine, 'drives')
      await drives.loadRom(drive, { name: basename(path), bytes: await readBounded(path, MAX_ROM_BYTES) }, signal)
      return {}
    },
  } satisfies Partial<AreaHandlers<'machine'>>
}

function settingHandlers({ machines }: MachineParts) {
  const facet = facetFinder(machines)
  return {
    'machine.configurationCategories': async ({ machine }, signal) => ({
      categories: await facet(machine, 'configuration').categories(signal),
    }),
    'machine.configuration': async ({ machine, category }, signal) => ({
      items: await facet(machine, 'configuration').read(category, signal),
    }),
    'machine.setConfiguration': async ({ machine, category, item, value }, signal) => {
      await facet(machine, 'configuration').set(category, item, value, signal)
      return {}
    },
    'machine.keepConfiguration': async ({ machine, action, category }, signal) => {
      await facet(machine, 'configuration').keep(action, category, signal)
      return {}
    },
    'machine.getResource': async ({ machine, name }, signal) => ({
      value: await facet(machine, 'resources').get(name, signal),
    }),
    'machine.setResource': async ({ machine, name, value }, signal) => {
      await facet(machine, 'resources').set(name, value, signal)
      return {}
    },
  } satisfies Partial<AreaHandlers<'machine'>>
}

function checkpointHandlers({ machines, checkpoints }: MachineParts) {
  const facet = facetFinder(machines)
  const withLabel = (machine: string, checkpoint: Checkpoint) => ({
    ...checkpoint,
    ...checkpoints.boundTo(machine, checkpoint),
  })
  return {
    'machine.checkpoints': async ({ machine }, signal) => ({
      checkpoints: (await facet(machine, 'checkpoints').list(signal)).map((each) => withLabel(machine, each)),
    }),
    'machine.setCheckpoint': async ({ machine, checkpoint }, signal) => {
      if (checkpoint.end < checkpoint.start) throw new AppError('INVALID', 'The checkpoint’s end is before its start.')
      return withLabel(machine, await checkpoints.set(machine, checkpoint, signal))
    },
    'machine.changeCheckpoint': async ({ machine, number, changes }, signal) =>
      withLabel(machine, await checkpoints.change(machine, number, changes, signal)),
    'machine.checkpointLog': async ({ machine, after }, signal) => ({
      lines: await facet(machine, 'logPoints').read(after, signal),
    }),
    'machine.deleteCheckpoint': async ({ machine, number }, signal) => {
      await checkpoints.delete(machine, number, signal)
      return {}
    },
    'machine.enableCheckpoint': async ({ machine, number, enabled }, signal) => ({
      unbound: await checkpoints.enable(machine, number, enabled, signal),
    }),
  } satisfies Partial<AreaHandlers<'machine'>>
}

interface ReadRequest {
  readonly space: MemorySpace
  readonly address: number
  readonly length: number
}

function readMemory(live: Machine, { space, address, length }: ReadRequest, signal: AbortSignal): Promise<Uint8Array> {
  return isDriveSpace(space)
    ? requireFacet(live, 'driveMemory').read(space, { address, length }, signal)
    : live.readMemory({ space, address, length }, signal)
}

interface MemoryParts extends Pick<MachineParts, 'machines'> {
  readonly standInRom: () => Promise<StandInRom>
  readonly labels: {
    /** @throws AppError INVALID for an unreadable query */
    queryNames(machine: string, query: { kind: SearchKind; query: string }): Promise<readonly NamedAddress[]>
  }
}

export const createMemoryHandlers = ({ machines, labels, standInRom }: MemoryParts): AreaHandlers<'memory'> => ({
  'memory.read': async ({ machine, ...request }, signal) => ({
    bytes: await readMemory(machines.live(machine), request, signal),
    time: Date.now(),
  }),
  'memory.search': async ({ machine, space, address, length, kind, query }, signal) => {
    const search = { kind, query, range: { start: address, end: address + length } }
    // Before the machine is asked: a query that does not read.
    const names = { ...builtInNames, ...findAmong(await labels.queryNames(machine, { kind, query })) }
    const readLength = Math.min(length + MAX_PATTERN_BYTES, 0x10000 - address)
    const bytes = await readMemory(machines.live(machine), { space, address, length: readLength }, signal)
    return searchMemory({ start: address, bytes }, search, MAX_MATCHES, names)
  },
  'memory.write': async ({ machine, space, address, bytes }, signal) => {
    const live = machines.live(machine)
    if (isDriveSpace(space)) await requireFacet(live, 'driveMemory').write(space, address, bytes, signal)
    else await live.writeMemory(space, address, bytes, signal)
    return { written: bytes.byteLength }
  },
  'memory.writeRuns': async ({ machine, runs }, signal) => {
    await writeRuns(machines.live(machine), runs, signal)
    return { written: runs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) }
  },
  'memory.standInRom': () => standInRom(),
  'memory.registers': async ({ machine }, signal) => ({
    registers: await requireFacet(machines.live(machine), 'registers').read(signal),
  }),
  'memory.setRegister': async ({ machine, name, value }, signal) => ({
    registers: await requireFacet(machines.live(machine), 'setRegisters').write(name, value, signal),
  }),
  'memory.picture': ({ machine }, signal) => requireFacet(machines.live(machine), 'picture').read(signal),
  'memory.palette': async ({ machine }, signal) => ({
    colours: (await requireFacet(machines.live(machine), 'picture').palette?.(signal)) ?? null,
  }),
})

async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await replaceChosenFile(path, bytes)
  } catch (error) {
    throw describeFileError(error, basename(path), 'written')
  }
}
