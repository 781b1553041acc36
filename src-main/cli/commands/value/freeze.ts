import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { address, bank, flag, machine, number, required } from '../../parameters'
import { valueGroup as group, printValues, valuesData as data } from './group'

export const valueFreeze = defineCommand({
  group,
  name: 'freeze',
  summary: 'Freeze a value: write it back whenever the program changes it.',
  positionals: {
    address: required(address('The address of the value.')),
    value: required(number('VALUE', 'The value that it keeps.', { min: 0, max: 0xffff })),
  },
  options: { bank: bank(), words: flag('Two bytes, low byte first.'), machine: machine('The machine.') },
  data,
  examples: ["value freeze '$02a7' 3"],
  run: async ({ output, signal, openSession }, { address, value, bank: space, words, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    printValues(
      output,
      machine,
      await session.client.call('values.freeze', { machine, space, address, size: words ? 2 : 1, value }, signal),
    )
    return EXIT_OK
  },
})
