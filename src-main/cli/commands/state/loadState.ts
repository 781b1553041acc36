import type { CommandContext } from '../../command'
import type { Session } from '../../session'

export async function loadState(
  { output, signal }: CommandContext,
  { client }: Session,
  machine: string,
  path: string,
): Promise<void> {
  const stopProgress = client.onEvent('machine.states', ({ machines }) => {
    const replaying = machines.find((state) => state.machine === machine)?.replaying ?? null
    if (replaying !== null) output.progress(replaying, 'Replaying')
  })
  await client.call('machine.loadState', { machine, path }, signal).finally(stopProgress)
}
