import type { AgentRun } from '@shared/contract/agents'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag } from '../../parameters'
import { oneLine } from '../../runText'
import { table } from '../../table'
import { agentGroup as group } from './group'

export const agentRuns = defineCommand({
  group,
  name: 'runs',
  summary: 'List the latest runs of agents, newest first.',
  options: { open: flag('Only those that have not ended.') },
  run: async ({ output, signal, openSession }, { open }) => {
    const { client } = await openSession()
    const { runs } = await client.call('agentRuns.list', { before: null }, signal)
    const shown = open ? runs.filter(({ state }) => state !== 'ended') : runs
    output.result({ runs: shown }, table(shown.map(rowOf)).join('\n') || 'There are no runs of agents.')
    return EXIT_OK
  },
})

const rowOf = ({ run, agent, state, status, purpose, reason }: AgentRun): string[] => [
  run,
  agent,
  status ?? state,
  oneLine([purpose, reason].filter(Boolean).join(' - ')),
]
