import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { valueGroup as group, printValues, valuesData as data } from './group'

export const valueUndo = defineCommand({
  group,
  name: 'undo',
  summary: 'Undo the last step of the search.',
  options: { machine: machine('The machine.') },
  data,
  examples: ['value undo'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    printValues(output, machine, await session.client.call('values.undo', { machine }, signal))
    return EXIT_OK
  },
})
