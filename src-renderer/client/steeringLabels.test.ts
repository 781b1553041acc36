import { describe, expect, it } from 'vitest'
import type { SteeringAgent, SteeringLease, SteeringQuestion, SteeringState } from '@shared/contract/steering'
import { rightsText, stateOfAgent, whoIsAt } from './steeringLabels'

const agentAt = (agent: number, changed: Partial<SteeringAgent> = {}): SteeringAgent => ({
  agent,
  name: `agent ${agent}`,
  colour: 0,
  since: 1,
  paused: false,
  granted: [],
  refused: [],
  machine: 'builtin',
  doing: null,
  calls: 1,
  ...changed,
})
const leaseOf = (agent: number | null, machine = 'builtin'): SteeringLease => ({
  machine,
  agent,
  name: '',
  colour: null,
  until: agent === null ? null : 5,
})
const question: SteeringQuestion = {
  question: 1,
  agent: 1,
  name: 'agent 1',
  colour: 0,
  right: 'change',
  text: 'run assembly',
  since: 1,
}
const stateWith = (changed: Partial<SteeringState>): SteeringState => ({
  agents: [],
  questions: [],
  leases: [],
  left: [],
  ...changed,
})

describe('the state of an agent', () => {
  const words = (agent: SteeringAgent, changed: Partial<SteeringState> = {}) =>
    stateOfAgent(agent, stateWith(changed), { builtin: 'Built-in C64' }).word

  it('is one of paused, asking, steering a machine, looking and idle', () => {
    expect(words(agentAt(1, { paused: true }), { questions: [question] })).toBe('paused')
    expect(words(agentAt(1, { doing: 'run assembly' }), { questions: [question] })).toBe('asks you')
    expect(words(agentAt(1), { leases: [leaseOf(1)] })).toBe('steers Built-in C64')
    expect(words(agentAt(1), { leases: [leaseOf(1, 'vice')] })).toBe('steers vice')
    expect(words(agentAt(1, { doing: 'see screen' }), { leases: [leaseOf(2)] })).toBe('looks')
    expect(words(agentAt(1))).toBe('idle')
  })
})

describe('who is at a machine', () => {
  const who = (changed: Partial<SteeringState>) => {
    const at = whoIsAt('builtin', stateWith(changed))
    return at?.who === 'agent' ? [at.agent.agent, at.others] : (at?.who ?? null)
  }

  it('is the person who took it over, else the agent that has it, else one that uses it', () => {
    const agents = [agentAt(1), agentAt(2, { doing: 'see screen' }), agentAt(3, { machine: 'vice' })]
    expect(who({ agents, leases: [leaseOf(null)] })).toBe('person')
    expect(who({ agents, leases: [leaseOf(1)] })).toEqual([1, 1])
    expect(who({ agents })).toEqual([2, 1])
    expect(who({ agents: [agentAt(3, { machine: 'vice' })] })).toBeNull()
  })
})

describe('the rights of an agent', () => {
  it('are said in one sentence', () => {
    expect(rightsText({ granted: [], refused: [] })).toBe('May only look')
    expect(rightsText({ granted: [{ right: 'change', for: 'always' }], refused: ['files'] })).toBe(
      'May change machines (always); refused: use your files',
    )
  })
})
