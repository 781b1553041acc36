import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { bank, flag, machine } from '../../parameters'
import { valueGroup as group, printValues, valuesData as data } from './group'

export const valueStart = defineCommand({
  group,
  name: 'start',
  summary: 'Start a search for a value: every address is a candidate.',
  options: { bank: bank(), words: flag('Values of two bytes, low byte first.'), machine: machine('The machine.') },
  data,
  examples: ['value start', 'value start --words --bank cpu'],
  run: async ({ output, signal, openSession }, { machine, bank: space, words }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    printValues(
      output,
      machine,
      await session.client.call('values.start', { machine, space, size: words ? 2 : 1 }, signal),
    )
    return EXIT_OK
  },
})
