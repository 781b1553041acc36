import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag, machine, required, text } from '../../parameters'
import { machineGroup as group } from './group'

export const machineType = defineCommand({
  group,
  name: 'type',
  summary: 'Type text on the keyboard of a machine.',
  positionals: { text: required(text('TEXT', 'What to type; small letters are keys without Shift.')) },
  options: { return: flag('Press RETURN after it.'), machine: machine('The machine.') },
  data: { machine: 'the machine’s name', text: 'what was typed' },
  examples: ["type 'print 2+2' --return"],
  run: async ({ output, signal, openSession }, { text, return: hasReturn, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const typed = hasReturn ? `${text}\n` : text
    await session.client.call('machine.typeText', { machine, text: typed }, signal)
    output.result({ machine, text: typed }, `Typed ${typed.length} characters.`)
    return EXIT_OK
  },
})
