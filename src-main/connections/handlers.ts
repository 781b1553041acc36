import type { SelfTestStep } from '@shared/contract/connections'
import type { MachineState } from '@shared/contract/machine'
import type { AreaHandlers, Emit } from '../rpc/commands'
import { probeAddress } from '../machine/addressProbe'
import { drivers } from '../machine/drivers'
import type { MachineManager } from '../machine/manager'
import type { ConnectionCatalog } from './connectionCatalog'
import type { Passwords } from './passwords'
import { isConnected, selfTest } from './selfTest'

export interface ConnectionParts {
  readonly machines: MachineManager
  readonly catalog: ConnectionCatalog
  readonly passwords: Passwords
  readonly emit: Emit
}

const isLive = ({ connection }: MachineState): boolean => connection === 'live' || connection === 'stale'

export function createConnectionHandlers({
  machines,
  catalog,
  passwords,
  emit,
}: ConnectionParts): AreaHandlers<'connections'> {
  return {
    'connections.list': () => catalog.list(),
    'connections.search': () => catalog.search(),
    'connections.probe': async ({ address }, signal) => ({
      found: await probeAddress(address, {
        drivers,
        connected: (name) => machines.states.find((state) => state.machine === name && isLive(state))?.title,
        signal,
      }),
    }),
    'connections.save': async ({ machine, title }) => {
      await catalog.save(machine, title)
      return {}
    },
    'connections.remove': async ({ machine }) => {
      passwords.forget(machine)
      await catalog.remove(machine)
      return {}
    },
    'connections.usePassword': ({ machine, password, onlyFor }) => {
      passwords.use(machine, { password, onlyFor })
      return {}
    },
    'connections.identity': async ({ machine }, signal) => ({
      uniqueId: (await catalog.identify(machine, signal))?.uniqueId ?? null,
    }),
    'connections.sealedPassword': ({ machine }) => ({ kept: catalog.keptPassword(machine) }),
    'connections.keepPassword': async ({ machine, kept }) => {
      if (kept === null) passwords.forget(machine)
      await catalog.keepPassword(machine, kept)
      return {}
    },
    'connections.selfTest': async ({ machine: name }, signal) => {
      const machine = machines.machine(name)
      const wasConnected = isConnected(machine)
      let steps: SelfTestStep[] = []
      const report = (running: boolean) => emit('connections.selfTest', { machine: name, steps, running })
      try {
        steps = await selfTest({
          machine,
          connect: async (until) => {
            try {
              await machines.connect(name, until)
            } catch (error) {
              throw passwords.explain(name, error)
            }
          },
          asksForPassword: async (until) => (await catalog.identify(name, until))?.needsPassword ?? null,
          report: (soFar) => {
            steps = soFar
            report(true)
          },
          signal,
        })
      } finally {
        report(false)
        if (!wasConnected) await machines.disconnect(name)
      }
      return { steps }
    },
  }
}
