import { describe, expect, it } from 'vitest'
import type { AgentCall } from '@shared/contract/steering'
import { mergeCalls } from './agentCalls'

const called = (call: number, name = 'coder', outcome: AgentCall['outcome'] = 'done'): AgentCall => ({
  call,
  agent: 1,
  name,
  colour: 0,
  time: call,
  ms: 1,
  machine: 'builtin',
  title: 'memory write',
  right: 'change',
  text: '',
  outcome,
  message: null,
  bytes: 0,
  undo: null,
  clock: null,
})
const told = (calls: readonly AgentCall[]) => calls.map(({ call, outcome }) => `${call} ${outcome}`)

describe('calls that began or ended', () => {
  it('come as the newest, or in place of what was known of them', () => {
    const known = [called(4, 'coder', 'running'), called(2)]
    expect(told(mergeCalls(known, [called(5, 'coder', 'running'), called(4), called(6)], null))).toEqual([
      '6 done',
      '5 running',
      '4 done',
      '2 done',
    ])
  })

  it('of another name, or older than what was read, are left out', () => {
    const known = [called(4), called(2)]
    expect(mergeCalls(known, [called(5, 'tester')], 'coder')).toBe(known)
    expect(told(mergeCalls(known, [called(3)], null))).toEqual(['4 done', '2 done'])
  })
})
