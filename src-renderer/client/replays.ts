import { create } from 'zustand'
import { notify } from './messages'

export const useReplays = create<Readonly<Record<string, AbortController>>>(() => ({}))

export function cancelReplay(machine: string): void {
  const replay = useReplays.getState()[machine]
  if (replay) replay.abort()
  else notify('No replay to cancel.')
}

/** @param load resolves to the name of the file; null when the person chose none */
export async function loadState(machine: string, load: (signal: AbortSignal) => Promise<string | null>): Promise<void> {
  const controller = new AbortController()
  useReplays.setState({ [machine]: controller })
  try {
    const name = await load(controller.signal)
    if (name !== null) notify(`${name} is loaded.`)
  } finally {
    const others = Object.entries(useReplays.getState()).filter(([, other]) => other !== controller)
    useReplays.setState(Object.fromEntries(others), true)
  }
}
