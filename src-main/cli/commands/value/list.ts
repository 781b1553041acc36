import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { valueGroup as group, printValues, valuesData as data } from './group'

export const valueList = defineCommand({
  group,
  name: 'list',
  summary: 'Show the search for a value, and what is frozen.',
  options: { machine: machine('The machine.') },
  data,
  examples: ['value list'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    printValues(output, machine, await session.client.call('values.state', { machine }, signal))
    return EXIT_OK
  },
})
