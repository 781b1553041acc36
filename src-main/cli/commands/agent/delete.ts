import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { required, text } from '../../parameters'
import { agentGroup as group } from './group'

export const agentDelete = defineCommand({
  group,
  name: 'delete',
  aliases: ['remove'],
  summary: 'Delete an agent; its past runs and their logs stay.',
  positionals: { name: required(text('NAME', 'The agent.')) },
  data: { name: 'the agent’s name' },
  examples: ['agent delete claude'],
  run: async ({ output, signal, openSession }, { name }) => {
    const { client } = await openSession()
    await client.call('agents.remove', { name }, signal)
    output.result({ name }, `Deleted ${name}.`)
    return EXIT_OK
  },
})
