import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { table } from '../../printed'
import { connectionGroup as group } from './group'

export const connectionSearch = defineCommand({
  group,
  name: 'search',
  summary: 'Search the local network for machines.',
  data: {
    searching: 'whether it goes on',
    searched: 'ms since 1970',
    found: '[{ machine, title, about, … }]',
    problem: 'text or null',
  },
  examples: ['connection search'],
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const { network } = await client.call('connections.search', {}, signal)
    const rows = network.found.map(({ machine, title, about }) => [machine, title, about])
    output.result(
      network,
      network.problem === null ? table(rows, 'No machine answered.') : [table(rows), network.problem],
    )
    return EXIT_OK
  },
})
