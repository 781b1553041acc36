import { join } from 'node:path'
import { requireTcp, type Driver, type MachineDeps } from '../driver'
import { createViceMachine, type ViceMachineOptions } from './driver'
import { probeVice } from './probe'
import { VICE_PURPOSE } from './process'

export const viceDriver: Driver = {
  create(name, link, deps) {
    const { dataFolder, resources, settings, children, notes } = deps
    return createViceMachine({
      name,
      attach: link && requireTcp(link),
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
      adopt: link === null ? leftoverVice(deps) : null,
      notes,
    })
  },
  probe: probeVice,
}

export function leftoverVice({
  lifetime,
  children,
}: Pick<MachineDeps, 'lifetime' | 'children'>): ViceMachineOptions['adopt'] {
  if (lifetime !== 'window') return null
  const found = children.reconcile().find(({ purpose, port }) => purpose === VICE_PURPOSE && port !== null)
  return found && found.port !== null ? { pid: found.pid, port: found.port } : null
}
