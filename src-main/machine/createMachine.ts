import { join } from 'node:path'
import type { ChildStore } from '../storage/children'
import type { NoteStore } from '../storage/notes'
import type { SettingsStore } from '../storage/settings'
import { BuiltinMachine, type BuiltinOptions } from './builtin/driver'
import type { Machine } from './machine'
import { parseMachineName } from './name'
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
      throw new Error('not yet')
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
