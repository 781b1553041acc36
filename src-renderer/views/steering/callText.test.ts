import { describe, expect, it } from 'vitest'
import type { AgentCall } from '@shared/contract/steering'
import { callDuration, cyclesBack, undoneWith, undoText } from './callText'

const called = (call: number, changed: Partial<AgentCall> = {}): AgentCall => ({
  call,
  agent: 1,
  name: 'coder',
  colour: 0,
  time: call,
  ms: 1,
  machine: 'builtin',
  title: 'memory write',
  right: 'change',
  text: '',
  outcome: 'done',
  message: null,
  bytes: 4,
  undo: 'bytes',
  clock: 1000,
  ...changed,
})

describe('undoing a call', () => {
  it('says what it does', () => {
    expect([called(1), called(1, { bytes: 1 })].map(undoText)).toEqual(['Puts 4 bytes back', 'Puts 1 byte back'])
    expect(undoText(called(1, { undo: null }))).toBeNull()
  })

  it('takes the later ones of its agent on the machine along, and no others', () => {
    const calls = [
      called(6, { undo: null }),
      called(5),
      called(4, { agent: 2, name: 'other' }),
      called(3, { machine: 'vice' }),
      called(2),
      called(1),
    ]
    expect(undoneWith(calls, called(2)).map(({ call }) => call)).toEqual([5, 2])
  })
})

describe('the moment of a call', () => {
  const past = { start: 500, now: 2000, end: 3000, left: null, clockRate: 985_248, bytes: 0 }

  it('is told from the end of the machine’s time while it is in its past', () => {
    expect(cyclesBack(called(1), past)).toBe(2000)
    expect(cyclesBack(called(1, { clock: 400 }), past)).toBeNull()
    expect(cyclesBack(called(1, { clock: null }), past)).toBeNull()
    expect(cyclesBack(called(1, { undo: null }), past)).toBeNull()
    expect(cyclesBack(called(1), null)).toBeNull()
  })
})

describe('how long it took', () => {
  it('is in ms below a second, and empty while it runs', () => {
    expect([3.2, 1500, null].map((ms) => callDuration(called(1, { ms })))).toEqual(['3 ms', '2 s', ''])
  })
})
