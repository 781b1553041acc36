import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BridgeState } from '@shared/contract/window'
import { followBridge, onBridgeReady, onEvent, takeAnswer } from './events'
import { useMachines } from './machines'

const starting: BridgeState = { state: 'starting', reason: null, recentEnds: 0 }
const ready: BridgeState = { ...starting, state: 'ready' }

const listeners = new Map<string, ((payload: unknown) => void)[]>()
const tell = (event: string, payload: unknown) => listeners.get(event)?.forEach((listener) => listener(payload))

beforeEach(() => {
  vi.stubGlobal('window', {
    bridgedeck: {
      onEvent: (event: string, listener: (payload: unknown) => void) =>
        void listeners.set(event, [...(listeners.get(event) ?? []), listener]),
    },
  })
  useMachines.setState({ bridge: starting })
})
afterEach(() => {
  vi.unstubAllGlobals()
  listeners.clear()
})

const bridge = () => useMachines.getState().bridge.state

describe('the state of the bridge', () => {
  it('stays ready when the answer that it was starting comes after the event that it is ready', () => {
    const take = followBridge()
    tell('bridge.state', ready)
    take(starting)
    expect(bridge()).toBe('ready')
  })

  it('is not followed before the window shows its machine', () => {
    const onReady = vi.fn()
    onBridgeReady(onReady)
    const take = followBridge()
    tell('bridge.state', ready)
    expect(onReady).not.toHaveBeenCalled()
    take(starting)
    expect(onReady).toHaveBeenCalledOnce()
  })

  it('is what the answer said until an event says another', () => {
    const take = followBridge()
    take(starting)
    expect(bridge()).toBe('starting')
    tell('bridge.state', ready)
    expect(bridge()).toBe('ready')
  })
})

describe('an answer', () => {
  const taken = async (meanwhile: string) => {
    const take = vi.fn()
    await takeAnswer('settings.changed', async () => tell(meanwhile, {}), take)
    return take.mock.calls.length
  }

  it('was overtaken when an event of the same matter came since it was asked for', async () => {
    onEvent('settings.changed', () => undefined)
    tell('settings.changed', {})
    expect(await taken('machine.states')).toBe(1)
    expect(await taken('settings.changed')).toBe(0)
  })
})
