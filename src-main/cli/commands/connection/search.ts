import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { table } from '../../table'
import { connectionGroup as group } from './group'

export const connectionSearch = defineCommand({
  group,
  name: 'search',
  summary: 'Search the local network for machines.',
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const { network } = await client.call('connections.search', {}, signal)
    const lines = table(network.found.map(({ machine, title, about }) => [machine, title, about]))
    output.result(
      network,
      [...lines, ...(network.problem === null ? [] : [network.problem])].join('\n') || 'No machine answered.',
    )
    return EXIT_OK
  },
})
