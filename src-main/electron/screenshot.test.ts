import { describe, expect, it } from 'vitest'
import { capabilities, capabilitiesSchema, type MachineState } from '@shared/contract/machine'
import { connectionFailure } from './screenshot'

const state: MachineState = {
  machine: 'vice:6502',
  kind: 'vice',
  title: 'VICE at localhost:6502',
  connection: 'lost',
  reason: 'No VICE to attach to.',
  hint: 'Start it.',
  wasLive: false,
  retry: { failures: 1, next: 0 },
  execution: 'unknown',
  stop: null,
  slow: null,
  replaying: null,
  past: null,
  logged: 0,
  standard: null,
  speed: null,
  warp: false,
  sampling: { mode: 'free', rate: 10, measured: 0 },
  samplingRisk: null,
  streams: [],
  cost: null,
  capabilities: capabilitiesSchema.parse(Object.fromEntries(capabilities.map((name) => [name, null]))),
  programFiles: { prg: null, cartridge: null, disk: null, tape: null, snapshot: null, music: null },
  version: null,
  program: null,
  notices: [],
  warnings: [],
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
