import { beforeEach, describe, expect, it } from 'vitest'
import type { MachineState } from '@shared/contract/machine'
import { liveState } from '../../test/support/machineState'
import { dismissNotice, noteForgottenPrograms, openNotices, useNotices } from './notices'

const program = { name: 'game.prg', watched: true, startedAt: 0, reruns: 0, problem: null }

const state: MachineState = {
  ...liveState,
  machine: 'vice',
  kind: 'vice',
  title: 'VICE',
  notices: ['It has no ROMs.'],
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
