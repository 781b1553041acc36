import { describe, expect, it } from 'vitest'
import type { MachineState } from '@shared/contract/machine'
import { liveState } from '../../test/support/machineState'
import { connectionFailure } from './screenshot'

const state: MachineState = {
  ...liveState,
  machine: 'vice:6502',
  kind: 'vice',
  title: 'VICE at localhost:6502',
  connection: 'lost',
  reason: 'No VICE to attach to.',
  hint: 'Start it.',
  wasLive: false,
  retry: { failures: 1, next: 0 },
  execution: 'unknown',
  standard: null,
  speed: null,
  cost: null,
}

describe('a screenshot', () => {
  it('is given up at the first failed connection, with the reason and what to do', () => {
    expect(connectionFailure([state], 'vice:6502')).toBe('No VICE to attach to. Start it.')
    expect(
      connectionFailure([{ ...state, connection: 'connecting', retry: { failures: 1, next: null } }], 'vice:6502'),
    ).toBe('No VICE to attach to. Start it.')
  })

  it('is waited for while the machine connects or is only lost for a while', () => {
    expect(connectionFailure([], 'vice:6502')).toBeUndefined()
    expect(connectionFailure([{ ...state, connection: 'connecting', retry: null }], 'vice:6502')).toBeUndefined()
    expect(connectionFailure([{ ...state, wasLive: true }], 'vice:6502')).toBeUndefined()
    expect(connectionFailure([state], 'builtin')).toBeUndefined()
  })
})
