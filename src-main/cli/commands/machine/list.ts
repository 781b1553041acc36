import { slowMotionText } from '@shared/slowMotion'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { connectionTones } from '../../stateTones'
import { table, toned } from '../../printed'
import { machineGroup as group } from './group'

export const machineList = defineCommand({
  group,
  name: 'list',
  summary: 'List the machines and their connections.',
  data: { machines: '[{ machine, title, connection, execution, slow, reason }]; slow is { unit, perSecond } or null' },
  examples: ['machine list'],
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const known = await client.call('machine.list', {}, signal)
    const rows = known.machines.map(({ machine, title, connection, execution, slow, reason }) => ({
      machine,
      title,
      connection,
      execution,
      slow,
      reason,
    }))
    const shown = rows.map(({ machine, connection, title, slow, reason }) => [
      machine,
      toned(connectionTones[connection], connection),
      [title, ...(slow ? [`slow motion, ${slowMotionText(slow)}`] : []), ...(reason ? [reason] : [])].join(' - '),
    ])
    output.result({ machines: rows }, table(shown))
    return EXIT_OK
  },
})
