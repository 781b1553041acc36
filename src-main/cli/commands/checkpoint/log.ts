import { setTimeout as wait } from 'node:timers/promises'
import { formatAddress } from '@shared/c64/address'
import { MAX_LINE, MAX_LOGGED_LINES, type Logged } from '@shared/contract/checkpoints'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag, machine, number, withDefault } from '../../parameters'
import { table } from '../../printed'
import { checkpointGroup as group } from './group'

const FOLLOW_MS = 200

export const checkpointLog = defineCommand({
  group,
  name: 'log',
  summary: 'Show what the checkpoints of a machine logged.',
  details: `The machine keeps the last ${MAX_LOGGED_LINES} lines. With --follow, what it logs meanwhile is printed until Ctrl+C, with --json as an object each time.`,
  options: {
    after: withDefault(number('LINE', 'Only lines after this one.', { min: 0, max: MAX_LINE }), 0),
    follow: flag('Keep printing new lines, until Ctrl+C.'),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', lines: '[{ line, checkpoint, pc, clock, text }]' },
  examples: ['checkpoint log', 'checkpoint log --after 20 --json'],
  run: async ({ output, signal, openSession }, { after, follow, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    for (let last = after; ;) {
      const { lines } = await session.client.call('machine.checkpointLog', { machine, after: last }, signal)
      if (lines.length > 0 || !follow) output.result({ machine, lines: lines.map(lineData) }, lineTable(lines, machine))
      if (!follow) return EXIT_OK
      last = lines.at(-1)?.line ?? last
      await wait(FOLLOW_MS, undefined, { signal })
    }
  },
})

const lineData = ({ pc, ...logged }: Logged) => ({ ...logged, pc: formatAddress(pc) })

const lineTable = (lines: readonly Logged[], machine: string) =>
  table(
    lines.map(({ line, pc, text }) => [String(line), formatAddress(pc), text]),
    `The checkpoints of ${machine} logged nothing.`,
  )
