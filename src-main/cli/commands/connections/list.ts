import { defineCommand } from '../../command'
import { EXIT_OK } from '../../output'
import { table } from '../../table'
import { connectionProblems, connectionRows } from './describeConnections'
import { connectionsGroup as group } from './group'

export const connectionsList = defineCommand({
  group,
  name: 'list',
  summary: 'List the machines that are saved, configured for c64bridge, or on a serial port.',
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const connections = await client.call('connections.list', {}, signal)
    const lines = [...table(connectionRows(connections)), ...connectionProblems(connections)]
    output.result(connections, lines.join('\n') || 'No machines are saved. connections search looks for some.')
    return EXIT_OK
  },
})
