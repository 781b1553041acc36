import { parseMachineName } from '@shared/contract/machineName'
import type { MachineKind } from '@shared/contract/machineKinds'
import { builtinDriver } from './builtin/builtinDriver'
import type { Driver, MachineDeps } from './driver'
import { easyFlashDriver } from './easyflash/easyFlashDriver'
import type { Machine } from './machine'
import { stubDriver } from './stub/stubDriver'
import { teensyRomDriver } from './teensyrom/teensyRomDriver'
import { ultimateDriver } from './ultimate/ultimateDriver'
import { viceDriver } from './vice/viceDriver'

export const drivers: Readonly<Record<MachineKind, Driver>> = {
  builtin: builtinDriver,
  vice: viceDriver,
  ultimate: ultimateDriver,
  teensyrom: teensyRomDriver,
  easyflash: easyFlashDriver,
  stub: stubDriver,
}

export function createMachine(name: string, deps: MachineDeps): Machine {
  const { kind, link } = parseMachineName(name)
  return drivers[kind].create(name, link, deps)
}
