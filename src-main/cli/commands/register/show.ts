import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { describeRegisters, registersShape, registerGroup as group } from './group'

export const registerShow = defineCommand({
  group,
  name: 'show',
  summary: 'Show the CPU’s registers.',
  options: { machine: machine('The machine to read.') },
  data: registersShape,
  examples: ['register show', 'register show --machine vice:6502'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const { registers: found } = await session.client.call('memory.registers', { machine }, signal)
    const { data, text } = await describeRegisters(session, machine, found, signal)
    output.result(data, text)
    return EXIT_OK
  },
})
