import { join } from 'node:path'
import type { Driver, MachineDeps } from '../driver'
import { findViceRoms } from '../viceRoms'
import { BuiltinMachine, type BuiltinOptions } from './driver'

export const builtinDriver: Driver = { create: (_name, _link, deps) => new BuiltinMachine(optionsFrom(deps)) }

function optionsFrom({ dataFolder, resources, workerPath, lifetime, settings }: MachineDeps): BuiltinOptions {
  const isLasting = lifetime === 'window'
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
    get ciaModel() {
      return settings.current.ciaModel
    },
    statePath: isLasting ? join(dataFolder, 'builtin.state') : null,
    autorun: isLasting ? join(resources, 'demo.prg') : null,
  }
}
