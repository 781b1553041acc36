import type { Drive } from '@shared/contract/machineStorage'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { table } from '../../printed'
import { driveGroup as group } from './group'

export const driveList = defineCommand({
  group,
  name: 'list',
  summary: 'List the disk drives of a machine and what is mounted.',
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', drives: '[{ drive, role, enabled, busId, type, image }]' },
  examples: ['drive list --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const { drives } = await session.client.call('machine.drives', { machine }, signal)
    output.result({ machine, drives }, table(drives.map(rowOf), `${machine} has no drives.`))
    return EXIT_OK
  },
})

const rowOf = ({ drive, enabled, busId, type, image }: Drive): string[] => [
  drive,
  enabled ? 'on' : 'off',
  busId === null ? '' : `device ${busId}`,
  type ?? '',
  image ?? 'empty',
]
