import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, machine, withDefault } from '../../parameters'
import { machineGroup as group } from './group'

export const machineReset = defineCommand({
  group,
  name: 'reset',
  summary: 'Reset a machine.',
  options: {
    kind: withDefault(choice('KIND', 'A power cycle also clears memory.', ['soft', 'power'] as const), 'soft'),
    machine: machine('The machine to reset.'),
  },
  data: { machine: 'the machine’s name', kind: 'soft or power' },
  examples: ['reset', 'reset --kind power'],
  run: async ({ output, signal, openSession }, { kind, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    await session.client.call('machine.reset', { machine, kind }, signal)
    output.result({ machine, kind }, `${machine} was reset.`)
    return EXIT_OK
  },
})
