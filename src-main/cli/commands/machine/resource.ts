import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, required, text } from '../../parameters'
import { machineGroup as group } from './group'

export const machineResource = defineCommand({
  group,
  name: 'resource',
  summary: 'Show or set a resource of VICE.',
  positionals: {
    name: required(text('NAME', 'As VICE names it, such as Speed.')),
    value: text('VALUE', 'Its new value: a number or text.'),
  },
  options: { machine: machine('The machine: a VICE.') },
  data: { machine: 'the machine’s name', name: 'text', value: 'number or text' },
  examples: ['resource Speed --machine vice:6502', 'resource Speed 50 --machine vice:6502'],
  run: async ({ output, signal, openSession }, { name, value, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const { client } = session
    if (value !== undefined) await client.call('machine.setResource', { machine, name, value: valueOf(value) }, signal)
    const { value: now } = await client.call('machine.getResource', { machine, name }, signal)
    output.result({ machine, name, value: now }, String(now))
    return EXIT_OK
  },
})

const valueOf = (written: string): string | number => (/^-?\d{1,9}$/.test(written) ? Number(written) : written)
