import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { address, machine, required, text } from '../../parameters'
import { describeRegisters, registersShape, registerGroup as group } from './group'

export const registerSet = defineCommand({
  group,
  name: 'set',
  summary: 'Set a register of the CPU.',
  positionals: {
    name: required(text('NAME', 'Such as A, X, Y, SP, PC or FL.')),
    value: required({ ...address('The value: $05, 5, or an address.'), placeholder: 'VALUE' }),
  },
  options: { machine: machine('The machine to change.') },
  data: registersShape,
  examples: ["register set PC '$C000'", 'register set A 5 --machine vice:6502'],
  run: async ({ output, signal, openSession }, { name, value, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const { registers } = await session.client.call(
      'memory.setRegister',
      { machine, name: name.toUpperCase(), value },
      signal,
    )
    const { data, text } = await describeRegisters(session, machine, registers, signal)
    output.result(data, text)
    return EXIT_OK
  },
})
