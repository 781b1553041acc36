import { defineCommand } from '../command'
import { EXIT_OK } from '../output'
import { machine } from '../parameters'

export const registers = defineCommand({
  name: 'registers',
  summary: 'Show the CPU’s registers.',
  options: { machine: machine('The machine to read.') },
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const { registers: found } = await session.client.call('memory.registers', { machine }, signal)
    const lines = found.map(({ name, value, bits }) => {
      const digits = value.toString(16).toUpperCase()
      return `${name.padEnd(4)} $${digits.padStart(bits > 8 ? 4 : 2, '0')}`
    })
    output.result(
      { machine, registers: Object.fromEntries(found.map(({ name, value }) => [name, value])) },
      lines.join('\n'),
    )
    return EXIT_OK
  },
})
