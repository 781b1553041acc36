import { expect, it } from 'vitest'
import { machineRightsOf, type MachineRights } from '@shared/contract/agents'
import { standInFor, suggestedAgent } from './agentSetups'

const agent = suggestedAgent('claude')

it.each([
  ['power', 'look', 'look'],
  ['look', 'power', 'look'],
  ['change', 'none', 'none'],
  [undefined, 'power', 'look'],
  ['power', undefined, 'look'],
] as const)('an agent with %s that stands in for one with %s may %s', (own, other, rights) => {
  const withRights = (machines: MachineRights | undefined) => (machines === undefined ? agent : { ...agent, machines })
  expect(machineRightsOf(standInFor(withRights(own), withRights(other)))).toBe(rights)
})
