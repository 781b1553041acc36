import { beforeEach, describe, expect, it } from 'vitest'
import { capabilities, capabilitiesSchema, type MachineState } from '@shared/contract/machine'
import { dismissNotice, noteForgottenPrograms, openNotices, useNotices } from './notices'

const program = { name: 'game.prg', watched: true, startedAt: 0, reruns: 0, problem: null }

const state: MachineState = {
  machine: 'vice',
  kind: 'vice',
  title: 'VICE',
  connection: 'live',
  reason: null,
  hint: null,
  wasLive: true,
  retry: null,
  execution: 'running',
  stop: null,
  slow: null,
  replaying: null,
  past: null,
  logged: 0,
  standard: 'pal',
  speed: 1,
  warp: false,
  sampling: { mode: 'free', rate: 50, measured: 50 },
  samplingRisk: null,
  streams: [],
  cost: 0,
  capabilities: capabilitiesSchema.parse(Object.fromEntries(capabilities.map((name) => [name, null]))),
  programFiles: { prg: null, cartridge: null, disk: null, tape: null, snapshot: null, music: null },
  version: null,
  program: null,
  notices: ['It has no ROMs.'],
  warnings: [],
}
const open = (of: MachineState) => openNotices(of, useNotices.getState())

beforeEach(() => useNotices.setState({ own: [], dismissed: [] }))

describe('notices', () => {
  it('stay until each is dismissed, for its own machine alone', () => {
    dismissNotice('vice', 'It has no ROMs.')
    expect(open(state)).toEqual([])
    expect(open({ ...state, machine: 'vice:6502' })).toEqual(['It has no ROMs.'])
  })

  it('tell of a program that a restarted bridge knows nothing of, until one runs again', () => {
    noteForgottenPrograms([{ ...state, program }], [state])
    expect(open(state)[0]).toContain('game.prg is no longer reloaded when it is rebuilt.')
    expect(open({ ...state, program })).toEqual(['It has no ROMs.'])
    dismissNotice('vice', open(state)[0] ?? '')
    expect(open(state)).toEqual(['It has no ROMs.'])
  })

  it('do not tell of a program that is still known', () => {
    noteForgottenPrograms([{ ...state, program }], [{ ...state, program }])
    expect(useNotices.getState().own).toEqual([])
  })
})
