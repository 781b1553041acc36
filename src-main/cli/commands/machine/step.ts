import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag, machine, number, withDefault } from '../../parameters'
import { describeRegisters } from '../register/group'
import { machineGroup as group } from './group'

export const machineStep = defineCommand({
  group,
  name: 'step',
  summary: 'Pause a machine, execute instructions, and show the registers.',
  options: {
    count: withDefault(number('N', 'How many instructions.', { min: 1, max: 65_535 }), 1),
    over: flag('Count a JSR with all that it calls as one.'),
    machine: machine('The machine to step.'),
  },
  data: { machine: 'the machine’s name', registers: 'each register’s value by its name' },
  examples: ['step --count 10', 'step --over --machine vice:6502'],
  run: async ({ output, signal, openSession }, { count, over, machine }) => {
    const session = await openSession()
    session.requirePausable(machine)
    await session.connect(machine, signal)
    const { client } = session
    await client.call('machine.pause', { machine }, signal)
    await client.call('machine.step', { machine, count, over }, signal)
    const { registers } = await client.call('memory.registers', { machine }, signal)
    const { data, text } = describeRegisters(registers)
    output.result({ machine, registers: data }, text)
    return EXIT_OK
  },
})
