import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { connectionGroup as group, machineName } from './group'

export const connectionDelete = defineCommand({
  group,
  name: 'delete',
  aliases: ['forget'],
  summary: 'Delete a saved machine, with its password.',
  positionals: { machine: machineName },
  data: { machine: 'the machine’s name' },
  examples: ['connection delete ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const { client } = await openSession()
    await client.call('connections.remove', { machine }, signal)
    output.result({ machine }, `${machine} is no longer saved.`)
    return EXIT_OK
  },
})
