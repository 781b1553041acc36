import { commandText } from '@shared/agentPresets'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { table, toned } from '../../printed'
import { agentGroup as group } from './group'

export const agentList = defineCommand({
  group,
  name: 'list',
  summary: 'List the agents that are set up, with their commands.',
  data: { agents: '[{ name, preset, command, program, … }]' },
  examples: ['agent list'],
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const { agents } = await client.call('agents.list', {}, signal)
    const rows = agents.map((agent) => [
      agent.name,
      agent.preset,
      agent.program === null ? toned('bad', 'not found') : 'found',
      commandText(agent),
    ])
    output.result({ agents }, table(rows, 'No agents are set up. agent add sets one up.'))
    return EXIT_OK
  },
})
