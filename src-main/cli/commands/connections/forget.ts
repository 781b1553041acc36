import { defineCommand } from '../../command'
import { EXIT_OK } from '../../output'
import { connectionsGroup as group, machineName } from './group'

export const connectionsForget = defineCommand({
  group,
  name: 'forget',
  summary: 'Forget a saved machine, with its password.',
  positionals: { machine: machineName },
  run: async ({ output, signal, openSession }, { machine }) => {
    const { client } = await openSession()
    await client.call('connections.remove', { machine }, signal)
    output.result({ machine }, `${machine} is no longer saved.`)
    return EXIT_OK
  },
})
