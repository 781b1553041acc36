import { join } from 'node:path'
import type { ChildStore } from '../storage/children'
import type { NoteStore } from '../storage/notes'
import type { SettingsStore } from '../storage/settings'
import { BuiltinMachine, type BuiltinOptions } from './builtin/driver'
import type { Machine } from './machine'
import { parseMachineName, type MachineAddress } from '@shared/contract/machineName'
import { createEasyFlashMachine } from './easyflash/driver'
import { createStubMachine } from './stub/driver'
import { createTeensyRomMachine } from './teensyrom/driver'
import { createUltimateMachine } from './ultimate/driver'
import { createViceMachine, type ViceMachineOptions } from './vice/driver'
import { VICE_PURPOSE } from './vice/process'
import { findViceRoms } from './vice/roms'

interface Surroundings {
  readonly dataFolder: string
  readonly resources: string
  readonly workerPath: string
  readonly lifetime: 'window' | 'call'
  readonly settings: SettingsStore
  readonly children: ChildStore
  readonly notes: NoteStore
}

/** The driver for a machine's name. Settings are read when the machine connects, not now. */
export function createMachine(name: string, surroundings: Surroundings): Machine {
  const address = parseMachineName(name)
  switch (address.kind) {
    case 'builtin':
      return new BuiltinMachine(builtinOptions(surroundings))
    case 'vice':
      return createViceMachine(viceOptions(name, address.attach, surroundings))
    case 'ultimate': {
      const { host, port } = address
      const { settings, notes } = surroundings
      return createUltimateMachine({ name, host, port, allowed: () => settings.current.hardwareSampling, notes })
    }
    case 'teensyrom':
      return createTeensyRomMachine({
        name,
        link: address.link,
        allowed: () => surroundings.settings.current.hardwareSampling,
      })
    case 'easyflash':
      return createEasyFlashMachine({ name, link: address.link })
    case 'stub': {
      const { settings } = surroundings
      return createStubMachine({ name, link: address.link, allowed: () => settings.current.hardwareSampling })
    }
  }
}

function builtinOptions({ dataFolder, resources, workerPath, lifetime, settings }: Surroundings): BuiltinOptions {
  const lasting = lifetime === 'window'
  return {
    workerPath,
    resources,
    get roms() {
      const { kernalRom, basicRom, characterRom, useViceRoms, viceExecutable } = settings.current
      const vice = useViceRoms ? findViceRoms(viceExecutable) : null
      return {
        kernal: kernalRom ?? vice?.kernal ?? null,
        basic: basicRom ?? vice?.basic ?? null,
        character: characterRom ?? vice?.character ?? null,
      }
    },
    get standard() {
      return settings.current.standard
    },
    statePath: lasting ? join(dataFolder, 'builtin.state') : null,
    autorun: lasting ? join(resources, 'demo.prg') : null,
  }
}

type ViceAddress = Extract<MachineAddress, { kind: 'vice' }>

function viceOptions(name: string, attach: ViceAddress['attach'], surroundings: Surroundings): ViceMachineOptions {
  const { dataFolder, resources, settings, children, notes } = surroundings
  return {
    name,
    attach,
    process: () => ({
      executable: settings.current.viceExecutable,
      ownRoms: {
        kernal: join(resources, 'kernal.bin'),
        basic: join(resources, 'basic.bin'),
        character: join(resources, 'chargen.bin'),
      },
      sound: true,
      logFile: join(dataFolder, 'vice.log'),
      children,
    }),
    adopt: attach === null ? leftOverVice(surroundings) : null,
    notes,
  }
}

/** A VICE that the window's last bridge started and did not live to end. */
export function leftOverVice({
  lifetime,
  children,
}: Pick<Surroundings, 'lifetime' | 'children'>): ViceMachineOptions['adopt'] {
  if (lifetime === 'call') return null
  const found = children.reconcile().find(({ purpose, port }) => purpose === VICE_PURPOSE && port !== null)
  return found && found.port !== null ? { pid: found.pid, port: found.port } : null
}
