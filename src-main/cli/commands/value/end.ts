import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { valueGroup as group, printValues, valuesData as data } from './group'

export const valueEnd = defineCommand({
  group,
  name: 'end',
  summary: 'End the search; frozen values stay frozen.',
  options: { machine: machine('The machine.') },
  data,
  examples: ['value end'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    printValues(output, machine, await session.client.call('values.end', { machine }, signal))
    return EXIT_OK
  },
})
