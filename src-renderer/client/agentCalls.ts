import { create } from 'zustand'
import type { AgentCall } from '@shared/contract/steering'
import { call } from './call'

interface AgentCalls {
  /** Newest first; null before they were read. */
  readonly calls: readonly AgentCall[] | null
  readonly more: boolean
  /** Null for all agents. */
  readonly name: string | null
}

export const useAgentCalls = create<AgentCalls>(() => ({ calls: null, more: false, name: null }))

let meanwhile: AgentCall[] | null = null
let isReadingMore = false

/** A changed call replaces what is known of it, or is added as the newest. */
export function mergeCalls(
  known: readonly AgentCall[],
  changed: readonly AgentCall[],
  name: string | null,
): readonly AgentCall[] {
  const byNumber = new Map(
    changed.filter((each) => name === null || each.name === name).map((each) => [each.call, each]),
  )
  if (byNumber.size === 0) return known
  const newest = known[0]?.call ?? 0
  const added = [...byNumber.values()].filter((each) => each.call > newest).sort((one, other) => other.call - one.call)
  return [...added, ...known.map((each) => byNumber.get(each.call) ?? each)]
}

export function receiveCalled({ calls: changed }: { readonly calls: readonly AgentCall[] }): void {
  meanwhile?.push(...changed)
  const { calls, name } = useAgentCalls.getState()
  if (calls !== null) useAgentCalls.setState({ calls: mergeCalls(calls, changed, name) })
}

export const forgetCalls = (): void => useAgentCalls.setState({ calls: null, more: false })

export async function readCalls(): Promise<void> {
  const { name } = useAgentCalls.getState()
  const changed: AgentCall[] = []
  meanwhile = changed
  const { calls, more } = await call('steering.calls', { before: null, name })
  if (useAgentCalls.getState().name !== name) return readCalls()
  meanwhile = null
  useAgentCalls.setState({ calls: mergeCalls(calls, changed, name), more })
}

export async function readOlderCalls(): Promise<void> {
  const { calls, more, name } = useAgentCalls.getState()
  const before = calls?.at(-1)?.call
  if (!more || before === undefined || isReadingMore) return
  isReadingMore = true
  try {
    const page = await call('steering.calls', { before, name })
    const now = useAgentCalls.getState()
    if (now.name === name && now.calls?.at(-1)?.call === before)
      useAgentCalls.setState({ calls: [...now.calls, ...page.calls], more: page.more })
  } finally {
    isReadingMore = false
  }
}

export function showCallsOf(name: string | null): void {
  if (useAgentCalls.getState().name !== name) useAgentCalls.setState({ name, calls: null, more: false })
}
