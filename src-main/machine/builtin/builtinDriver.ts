import { join } from 'node:path'
import type { Driver, MachineDeps } from '../driver'
import { BuiltinMachine, type BuiltinOptions } from './driver'
import { romPathsIn } from './roms'

export const builtinDriver: Driver = { create: (_name, _link, deps) => new BuiltinMachine(optionsFrom(deps)) }

function optionsFrom({ dataFolder, resources, workerPath, lifetime, settings }: MachineDeps): BuiltinOptions {
  const isLasting = lifetime === 'window'
  return {
    workerPath,
    resources,
    get roms() {
      return romPathsIn(settings.current)
    },
    get standard() {
      return settings.current.standard
    },
    get models() {
      const { ciaModel, vicModel } = settings.current
      return { ciaModel, vicModel }
    },
    get history() {
      return settings.current.history
    },
    statePath: isLasting ? join(dataFolder, 'builtin.state') : null,
    autorun: isLasting ? join(resources, 'demo.prg') : null,
  }
}
