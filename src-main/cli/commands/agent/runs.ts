import { amountText, pricedText } from '@shared/agentUse'
import type { AgentRun } from '@shared/contract/agents'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag } from '../../parameters'
import { oneLine } from '../../runText'
import { table, toned, type Cell } from '../../printed'
import { agentGroup as group } from './group'

export const agentRuns = defineCommand({
  group,
  name: 'runs',
  summary: 'List the latest runs of agents, newest first.',
  options: {
    open: flag('Only those that have not ended.'),
    left: flag('Only those that still run although the Bridgedeck that started them ended.'),
  },
  data: { runs: '[{ run, agent, state, status, … }]' },
  examples: ['agent runs', 'agent runs --open', 'agent runs --left'],
  run: async ({ output, signal, openSession }, { open, left }) => {
    const { client } = await openSession()
    const { runs } = await client.call('agentRuns.list', { before: null }, signal)
    const shown = runs.filter(({ state }) => (!open || state !== 'ended') && (!left || state === 'left'))
    output.result({ runs: shown }, table(shown.map(rowOf), 'There are no runs of agents.'))
    return EXIT_OK
  },
})

const rowOf = (shown: AgentRun): Cell[] => {
  const { run, agent, state, status, tokens, cost, purpose, reason } = shown
  return [
    run,
    agent,
    toned(state === 'ended' ? (status === 'success' ? undefined : 'bad') : 'good', status ?? state),
    `${amountText(tokens)} tokens`,
    cost === null ? '—' : pricedText(shown),
    oneLine([purpose, reason].filter(Boolean).join(' - ')),
  ]
}
