import { describe, expect, it } from 'vitest'
import type { MachineState } from '@shared/contract/machine'
import { liveState as live } from '../../test/support/machineState'
import { limitOfAction } from './actionLimits'
import { describeRetry, describeState, describeTrouble, whyNotSampled } from './machineLabels'

const ready = { state: 'ready', reason: null, recentEnds: 0 } as const

describe('limitOfAction', () => {
  it('lets a capable live machine do everything but connect', () => {
    expect(limitOfAction('machine.pause', live)).toBeNull()
    expect(limitOfAction('machine.connect', live)).toBe('Already connected.')
    expect(limitOfAction('machine.disconnect', live)).toBeNull()
  })

  it('gives the machine’s own reason for what it cannot do', () => {
    const limited = { ...live, capabilities: { ...live.capabilities, quit: 'It is part of Bridgedeck.' } }
    expect(limitOfAction('machine.quit', limited)).toBe('It is part of Bridgedeck.')
  })

  it('says that a machine is not connected before what it cannot do', () => {
    expect(limitOfAction('machine.step', { ...live, connection: 'lost' })).toBe('Built-in C64 is not connected.')
    expect(limitOfAction('machine.step', undefined)).toBe('No machine is chosen.')
  })

  it('does not pause or resume a CPU that jammed', () => {
    const jammed: MachineState = { ...live, execution: 'jammed' }
    expect(limitOfAction('machine.pause', jammed)).toContain('Reset the machine.')
    expect(limitOfAction('machine.reset', jammed)).toBeNull()
  })

  it('leaves what concerns the window alone always possible', () => {
    expect(limitOfAction('view.memory', undefined)).toBeNull()
    expect(limitOfAction('help.diagnostics', { ...live, connection: 'idle' })).toBeNull()
  })

  it('stops the watching of a program only while one is watched', () => {
    expect(limitOfAction('program.stopWatching', live)).toBe('No program is watched.')
    expect(
      limitOfAction('program.stopWatching', {
        ...live,
        program: { name: 'a.prg', watched: true, startedAt: 0, reruns: 0, problem: null },
      }),
    ).toBeNull()
  })
})

describe('describeState', () => {
  it('puts the bridge’s state before the machine’s, since that is then old', () => {
    expect(describeState(live, { state: 'restarting', reason: null, recentEnds: 1 }).word).toBe('Restarting…')
    expect(describeState(live, { state: 'failed', reason: 'It ended.', recentEnds: 4 })).toEqual({
      word: 'Bridge stopped',
      tone: 'bad',
    })
  })

  it('tells a paused and a jammed machine from a running one', () => {
    expect(describeState(live, ready).word).toBe('Live')
    expect(describeState({ ...live, execution: 'paused' }, ready).word).toBe('Paused')
    expect(describeState({ ...live, execution: 'jammed' }, ready)).toEqual({ word: 'Jammed', tone: 'bad' })
    expect(describeState({ ...live, connection: 'stale', execution: 'paused' }, ready).word).toBe('Not answering')
  })

  it('tells what never answered from what got lost', () => {
    expect(describeState({ ...live, connection: 'lost' }, ready)).toEqual({ word: 'Lost', tone: 'bad' })
    expect(describeState({ ...live, connection: 'lost', wasLive: false }, ready)).toEqual({
      word: 'Could not connect',
      tone: 'bad',
    })
    expect(describeState({ ...live, connection: 'connecting' }, ready).word).toBe('Connecting…')
    expect(describeState({ ...live, connection: 'connecting', retry: { failures: 1, next: null } }, ready).word).toBe(
      'Trying again…',
    )
  })

  it('does not call live what is not sampled', () => {
    const state = { ...live, sampling: { ...live.sampling, mode: 'off' as const } }
    expect(describeState(state, ready)).toEqual({ word: 'Not sampled', tone: 'warn' })
    expect(describeState({ ...state, execution: 'paused' }, ready).word).toBe('Paused')
  })

  it('says why nothing is sampled, and what to do', () => {
    const state = { ...live, sampling: { ...live.sampling, mode: 'off' as const } }
    expect(whyNotSampled(live)).toBeNull()
    expect(whyNotSampled(state)).toBe('Start sampling to see memory and screen live.')
    const reason = 'Sampling stopped: VICE did not answer.'
    expect(whyNotSampled({ ...state, reason, samplingRisk: 'VICE stops at each sample.' })).toBe(
      `${reason} VICE stops at each sample. Start sampling to see memory and screen live.`,
    )
  })
})

describe('describeRetry', () => {
  it('says when the next attempt starts and how many failed', () => {
    const next = new Date(2026, 0, 1, 12, 3, 4).getTime()
    expect(describeRetry({ ...live, retry: { failures: 2, next } })).toBe('Next try at 12:03:04. 2 attempts failed.')
    expect(describeRetry({ ...live, retry: { failures: 1, next: null } })).toBe('Trying again now. One attempt failed.')
    expect(describeRetry({ ...live, retry: { failures: 0, next: null } })).toBe('Trying again now.')
    expect(describeRetry(live)).toBeNull()
  })
})

describe('describeTrouble', () => {
  it('has the reason and the next attempt of a machine that should be live, and nothing for one that is or need not be', () => {
    const retry = { failures: 1, next: null }
    const words = 'It is switched off. Trying again now. One attempt failed.'
    expect(describeTrouble({ ...live, connection: 'lost', reason: 'It is switched off.', retry })).toBe(words)
    expect(describeTrouble({ ...live, connection: 'connecting', reason: 'It is switched off.', retry })).toBe(words)
    expect(describeTrouble({ ...live, connection: 'stale', reason: 'It is silent.' })).toBe('It is silent.')
    expect(describeTrouble({ ...live, connection: 'connecting' })).toBeNull()
    expect(describeTrouble({ ...live, connection: 'idle', reason: 'It was quit.' })).toBeNull()
    expect(describeTrouble(live)).toBeNull()
  })
})
