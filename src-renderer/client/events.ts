import { useEffect, useEffectEvent } from 'react'
import type { EventName, Payload } from '@shared/contract/contract'
import type { BridgeState } from '@shared/contract/window'
import { useMachines } from './machines'

const counts = new Map<EventName, number>()

export function onEvent<Name extends EventName>(name: Name, callback: (payload: Payload<Name>) => void): void {
  window.bridgedeck.onEvent(name, (payload) => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    callback(payload)
  })
}

/**
 * Not taken if an event that {@link onEvent} subscribed to came meanwhile: it is newer, as main may send it before the
 * answer.
 */
export async function takeAnswer<Answer>(
  event: EventName,
  ask: () => Promise<Answer>,
  take: (answer: Answer) => void,
): Promise<void> {
  const before = counts.get(event)
  const answer = await ask()
  if (counts.get(event) === before) take(answer)
}

export function useEvent<Name extends EventName>(name: Name, callback: (payload: Payload<Name>) => void): void {
  const receive = useEffectEvent(callback)
  useEffect(() => window.bridgedeck.onEvent(name, receive), [name])
}

const readyListeners: (() => void)[] = []

/** A bridge that has just become ready knows nothing of this page yet. */
export const onBridgeReady = (listener: () => void): void => void readyListeners.push(listener)

function receiveBridge(bridge: BridgeState): void {
  const before = useMachines.getState().bridge.state
  useMachines.setState({ bridge })
  if (bridge.state !== 'ready' || before === 'ready') return
  for (const listener of readyListeners) listener()
}

/** @returns to be called with what `window.info` said; an event may have overtaken that */
export function followBridge(): (bridge: BridgeState) => void {
  let newest: BridgeState | undefined
  let isTaken = false
  onEvent('bridge.state', (bridge) => {
    newest = bridge
    if (isTaken) receiveBridge(bridge)
  })
  return (bridge) => {
    isTaken = true
    receiveBridge(newest ?? bridge)
  }
}
