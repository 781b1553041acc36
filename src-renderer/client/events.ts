import { useEffect, useEffectEvent } from 'react'
import type { EventName, Payload } from '@shared/contract/contract'
import type { BridgeState } from '@shared/contract/window'
import { useMachines } from './machines'

/** Subscribes to an event for as long as the page is there. */
export function onEvent<Name extends EventName>(name: Name, callback: (payload: Payload<Name>) => void): void {
  window.bridgedeck.onEvent(name, callback)
}

/** Subscribes to an event for as long as the component is there. */
export function useEvent<Name extends EventName>(name: Name, callback: (payload: Payload<Name>) => void): void {
  const receive = useEffectEvent(callback)
  useEffect(() => window.bridgedeck.onEvent(name, receive), [name])
}

const readyListeners: (() => void)[] = []

/** Calls back whenever a bridge process has become ready: it knows nothing of this page yet. */
export const onBridgeReady = (listener: () => void): void => void readyListeners.push(listener)

export function receiveBridge(bridge: BridgeState): void {
  const before = useMachines.getState().bridge.state
  useMachines.setState({ bridge })
  if (bridge.state !== 'ready' || before === 'ready') return
  for (const listener of readyListeners) listener()
}
