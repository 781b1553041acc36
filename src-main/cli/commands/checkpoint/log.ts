import { formatAddress } from '@shared/c64/address'
import { MAX_LINE, MAX_LOGGED_LINES } from '@shared/contract/machine'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, number, withDefault } from '../../parameters'
import { table } from '../../printed'
import { checkpointGroup as group } from './group'

export const checkpointLog = defineCommand({
  group,
  name: 'log',
  summary: 'Show what the checkpoints of a machine logged.',
  details: `The machine keeps the last ${MAX_LOGGED_LINES} lines.`,
  options: {
    after: withDefault(number('LINE', 'Only lines after this one.', { min: 0, max: MAX_LINE }), 0),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', lines: '[{ line, checkpoint, pc, clock, text }]' },
  examples: ['checkpoint log', 'checkpoint log --after 20 --json'],
  run: async ({ output, signal, openSession }, { after, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const { lines } = await session.client.call('machine.checkpointLog', { machine, after }, signal)
    output.result(
      { machine, lines: lines.map(({ pc, ...logged }) => ({ ...logged, pc: formatAddress(pc) })) },
      table(
        lines.map(({ line, pc, text }) => [String(line), formatAddress(pc), text]),
        `The checkpoints of ${machine} logged nothing.`,
      ),
    )
    return EXIT_OK
  },
})
