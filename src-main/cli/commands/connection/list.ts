import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { table } from '../../printed'
import { connectionProblems, connectionRows } from './describeConnections'
import { connectionGroup as group } from './group'

export const connectionList = defineCommand({
  group,
  name: 'list',
  summary: 'List saved machines, those configured for c64bridge, and serial ports.',
  data: {
    profiles: '[{ machine, title, … }]: the saved ones',
    network: '{ searching, searched, found, problem }',
    vice: '{ executable, version, problem }: the VICE that would be started',
    serial: '{ ports, problem }',
    configured: '{ machines, problems }',
  },
  examples: ['connection list'],
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const connections = await client.call('connections.list', {}, signal)
    const problems = connectionProblems(connections)
    const empty = problems.length === 0 ? 'No machines are saved. connection search looks for some.' : ''
    output.result(connections, [table(connectionRows(connections), empty), ...problems])
    return EXIT_OK
  },
})
