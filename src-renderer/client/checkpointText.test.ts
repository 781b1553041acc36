import { describe, expect, it } from 'vitest'
import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { describeCheckpoint, markOf } from './checkpointText'

const plain: LabelledCheckpoint = {
  number: 1,
  start: 0x0810,
  end: 0x0810,
  operations: ['exec'],
  stop: true,
  enabled: true,
  temporary: false,
  hits: 1,
  condition: null,
  fromHit: 1,
  log: null,
  label: null,
  line: null,
  unbound: null,
  enabledAgain: null,
}

describe('a checkpoint in the margin', () => {
  it('says what it does, when, and how often it was hit', () => {
    expect(describeCheckpoint(plain)).toBe('Stops here: 1 hit')
    expect(describeCheckpoint({ ...plain, condition: 'A == $05', fromHit: 3, hits: 12, enabled: false })).toBe(
      'Stops here if A == $05, from hit 3: 12 hits. Disabled',
    )
    expect(describeCheckpoint({ ...plain, stop: false, log: 'X is {X}', temporary: true })).toBe(
      'Logs X is {X}, once: 1 hit',
    )
  })

  it('says why it stands nowhere, whether it is on then or not', () => {
    const unbound = { ...plain, enabled: false, enabledAgain: true, unbound: 'line 4 is gone' }
    expect(describeCheckpoint(unbound)).toBe('Stops here: 1 hit. Unbound: line 4 is gone')
  })

  it('has the mark of what stops without a condition, where there is one', () => {
    const conditional = { ...plain, condition: 'X == 1' }
    const log = { ...plain, stop: false, log: 'here' }
    expect(markOf([plain, conditional])).toBe('plain')
    expect(markOf([conditional])).toBe('conditional')
    expect(markOf([{ ...plain, fromHit: 2 }])).toBe('conditional')
    expect(markOf([log])).toBe('log')
  })
})
