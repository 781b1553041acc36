import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, required, text } from '../../parameters'
import { valueGroup as group, printValues, valuesData as data } from './group'

export const valueKeep = defineCommand({
  group,
  name: 'keep',
  summary: 'Keep the addresses whose value meets the condition.',
  details:
    'CONDITION compares with the step before: changed, unchanged, up, down, up 1, down 2, or with a number: "= 3", "!= 3", "< 10", "> $0a".',
  positionals: { condition: required(text('CONDITION', 'What the value did.')) },
  options: { machine: machine('The machine.') },
  data,
  examples: ['value keep "down 1"', "value keep '= 3'"],
  run: async ({ output, signal, openSession }, { condition, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    printValues(output, machine, await session.client.call('values.keep', { machine, condition }, signal))
    return EXIT_OK
  },
})
