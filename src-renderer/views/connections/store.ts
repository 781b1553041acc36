import { create } from 'zustand'
import type { Connections, SelfTestStep } from '@shared/contract/connections'
import { call } from '../../client/call'
import { reportError } from '../../client/messages'

interface SelfTest {
  readonly steps: readonly SelfTestStep[]
  readonly running: boolean
}

interface ConnectionsState {
  readonly connections: Connections | null
  readonly selfTests: Readonly<Record<string, SelfTest>>
}

export const useConnections = create<ConnectionsState>(() => ({ connections: null, selfTests: {} }))

export const receiveConnections = (connections: Connections): void => useConnections.setState({ connections })

export const receiveSelfTest = ({ machine, ...test }: SelfTest & { readonly machine: string }): void =>
  useConnections.setState(({ selfTests }) => ({ selfTests: { ...selfTests, [machine]: test } }))

export async function refreshConnections(): Promise<void> {
  receiveConnections(await call('connections.list', {}))
}

export async function searchNetwork(): Promise<void> {
  receiveConnections(await call('connections.search', {}))
}

const running = new Map<string, AbortController>()

/** A test of it that already runs goes on. */
export async function startSelfTest(machine: string): Promise<void> {
  if (running.has(machine)) return
  const abort = new AbortController()
  running.set(machine, abort)
  receiveSelfTest({ machine, steps: [], running: true })
  try {
    const { steps } = await call('connections.selfTest', { machine }, { signal: abort.signal })
    receiveSelfTest({ machine, steps, running: false })
  } catch (error) {
    receiveSelfTest({ machine, steps: useConnections.getState().selfTests[machine]?.steps ?? [], running: false })
    reportError(error)
  } finally {
    running.delete(machine)
  }
}

export const stopSelfTest = (machine: string): void => running.get(machine)?.abort()
