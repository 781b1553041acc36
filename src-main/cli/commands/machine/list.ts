import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machineGroup as group } from './group'

export const machineList = defineCommand({
  group,
  name: 'list',
  summary: 'List the machines and their connections.',
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const known = await client.call('machine.list', {}, signal)
    const rows = known.machines.map(({ machine, title, connection, execution, reason }) => ({
      machine,
      title,
      connection,
      execution,
      reason,
    }))
    const lines = rows.map(
      ({ machine, connection, title, reason }) =>
        `${machine.padEnd(20)} ${connection.padEnd(11)} ${title}${reason ? ` - ${reason}` : ''}`,
    )
    output.result({ machines: rows }, lines.join('\n'))
    return EXIT_OK
  },
})
