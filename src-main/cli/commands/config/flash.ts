import { flashActions } from '@shared/contract/machineStorage'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, machine, required } from '../../parameters'
import { configGroup as group, oneCategory } from './group'

const done = { load: 'was loaded from flash', save: 'is kept in flash', reset: 'has its defaults' } as const

export const configFlash = defineCommand({
  group,
  name: 'flash',
  summary: 'Load a machine’s configuration from its flash, save it there, or reset it.',
  positionals: {
    action: required(
      choice('ACTION', 'load drops what was not saved; reset sets the defaults, without saving them.', flashActions),
    ),
    category: oneCategory,
  },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', action: 'load, save or reset', category: 'text, or null for all' },
  examples: [
    "config flash save 'Drive A Settings' --machine ultimate:192.168.1.64",
    'config flash load --machine ultimate:192.168.1.64',
  ],
  run: async ({ output, signal, openSession }, { action, category = null, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    await session.client.call('machine.keepConfiguration', { machine, action, category }, signal)
    output.result(
      { machine, action, category },
      `${category === null ? 'The configuration' : `“${category}”`} of ${machine} ${done[action]}.`,
    )
    return EXIT_OK
  },
})
