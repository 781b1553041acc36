import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { table } from '../../table'
import { connectionProblems, connectionRows } from './describeConnections'
import { connectionGroup as group } from './group'

export const connectionList = defineCommand({
  group,
  name: 'list',
  summary: 'List the machines that are saved, configured for c64bridge, or on a serial port.',
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const connections = await client.call('connections.list', {}, signal)
    const lines = [...table(connectionRows(connections)), ...connectionProblems(connections)]
    output.result(connections, lines.join('\n') || 'No machines are saved. connection search looks for some.')
    return EXIT_OK
  },
})
