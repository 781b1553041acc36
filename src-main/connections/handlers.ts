import type { SelfTestStep } from '@shared/contract/connections'
import type { AreaHandlers, Emit } from '../rpc/commands'
import type { MachineManager } from '../machine/manager'
import type { ConnectionCatalog } from './connectionCatalog'
import type { Passwords } from './passwords'
import { isConnected, selfTest } from './selfTest'

export interface ConnectionParts {
  readonly machines: MachineManager
  readonly book: ConnectionCatalog
  readonly passwords: Passwords
  readonly emit: Emit
}

export function createConnectionHandlers({
  machines,
  book,
  passwords,
  emit,
}: ConnectionParts): AreaHandlers<'connections'> {
  return {
    'connections.list': () => book.list(),
    'connections.search': () => book.search(),
    'connections.save': async ({ machine, title }) => {
      await book.save(machine, title)
      return {}
    },
    'connections.remove': async ({ machine }) => {
      passwords.forget(machine)
      await book.remove(machine)
      return {}
    },
    'connections.usePassword': ({ machine, password, onlyFor }) => {
      passwords.use(machine, { password, onlyFor })
      return {}
    },
    'connections.identity': async ({ machine }, signal) => ({
      uniqueId: (await book.identify(machine, signal))?.uniqueId ?? null,
    }),
    'connections.sealedPassword': ({ machine }) => ({ kept: book.keptPassword(machine) }),
    'connections.keepPassword': async ({ machine, kept }) => {
      if (kept === null) passwords.forget(machine)
      await book.keepPassword(machine, kept)
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
          asksForPassword: async (until) => (await book.identify(name, until))?.needsPassword ?? null,
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
