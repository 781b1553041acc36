import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { address, bank, machine, required } from '../../parameters'
import { valueGroup as group, printValues, valuesData as data } from './group'

export const valueRelease = defineCommand({
  group,
  name: 'release',
  summary: 'Release a frozen value.',
  positionals: { address: required(address('The address of the value.')) },
  options: { bank: bank(), machine: machine('The machine.') },
  data,
  examples: ["value release '$02a7'"],
  run: async ({ output, signal, openSession }, { address, bank: space, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    printValues(output, machine, await session.client.call('values.release', { machine, space, address }, signal))
    return EXIT_OK
  },
})
