import { defineCommand } from '../../command'
import { EXIT_OK } from '../../output'
import { required, text } from '../../parameters'
import { agentsGroup as group } from './group'

export const agentsRemove = defineCommand({
  group,
  name: 'remove',
  summary: 'Remove an agent; its past runs and their logs stay.',
  positionals: { name: required(text('NAME', 'The agent.')) },
  run: async ({ output, signal, openSession }, { name }) => {
    const { client } = await openSession()
    await client.call('agents.remove', { name }, signal)
    output.result({ name }, `Removed ${name}.`)
    return EXIT_OK
  },
})
