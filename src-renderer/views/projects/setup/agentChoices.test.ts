import { expect, it } from 'vitest'
import { agentSchema } from '@shared/contract/agents'
import { choicesOf } from './agentChoices'

const found = [
  { preset: 'claude', program: '/usr/bin/claude', version: '2.1.0' },
  { preset: 'opencode', program: '/opt/opencode', version: null },
] as const

it('offers what was found, as an agent that can be saved as it is', () => {
  const choices = choicesOf([...found], [])
  expect(choices.map(({ label, agent }) => [agent.name, label])).toEqual([
    ['claude', 'Claude Code 2.1.0, /usr/bin/claude'],
    ['opencode', 'OpenCode, /opt/opencode'],
  ])
  for (const { agent } of choices) expect(agentSchema.safeParse(agent).success).toBe(true)
})

it('takes no name that another agent has', () => {
  expect(choicesOf([...found], ['claude', 'claude-2'])[0]?.agent.name).toBe('claude-3')
})
