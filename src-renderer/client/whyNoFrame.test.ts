import { describe, expect, it } from 'vitest'
import type { MachineState } from '@shared/contract/machine'
import type { BridgeState } from '@shared/contract/window'
import { whyNoFrame } from './whyNoFrame'

const ready = { state: 'ready' } as BridgeState
const state = (changes: Partial<MachineState>) =>
  ({
    machine: 'u64:10.0.0.9',
    title: 'Ultimate 64',
    connection: 'live',
    reason: null,
    hint: null,
    retry: null,
    wasLive: true,
    samplingRisk: null,
    sampling: { mode: 'free' },
    ...changes,
  }) as MachineState
const why = (changes: Partial<MachineState>, bridge = ready) => whyNoFrame(state(changes), 'u64:10.0.0.9', bridge)

describe('a view without a frame', () => {
  it('says that the bridge stopped, whatever the machine was', () => {
    expect(why({}, { state: 'failed' } as BridgeState)).toMatchObject({ action: { id: 'help.restartBridge' } })
    expect(why({}, { state: 'restarting' } as BridgeState)).toEqual({ text: 'Waiting for the bridge…' })
  })

  it('says the whole reason of a machine that was lost, with when it is tried again', () => {
    expect(
      why({
        connection: 'lost',
        reason: 'It does not answer on port 80.',
        hint: 'Check its network cable.',
        retry: { failures: 2, next: null },
      }),
    ).toEqual({
      text: 'The connection to Ultimate 64 was lost. It does not answer on port 80. Trying again now. 2 attempts failed. Check its network cable.',
      action: { id: 'machine.connect', label: 'Try now' },
    })
  })

  it('offers what leads on: to connect, to stop trying, to start sampling', () => {
    expect(whyNoFrame(undefined, 'vice', ready)).toEqual({
      text: 'vice is not connected.',
      action: { id: 'machine.connect', label: 'Connect' },
    })
    expect(why({ connection: 'connecting', retry: { failures: 1, next: null } }).action?.id).toBe('machine.disconnect')
    expect(why({ sampling: { mode: 'off' } } as Partial<MachineState>)).toMatchObject({
      text: 'Nothing is sampled from Ultimate 64. Start sampling to see memory and screen live.',
      action: { id: 'machine.sampling' },
    })
  })

  it('waits for the first frame of a machine that is sampled', () => {
    expect(why({})).toEqual({ text: 'Waiting for the first frame…' })
  })
})
