import { join } from 'node:path'
import { expect } from 'vitest'
import { agentLike, isAlive, type AgentBench } from './agentBench'

/**
 * Runs an agent that starts a process, and stops it once both are there.
 * @param child what that process does to hide
 * @returns which of the two live on
 */
export async function stopWithChild(bench: AgentBench, child: 'printing' | 'daemon'): Promise<number[]> {
  const file = join(bench.folder, 'pids')
  const result = bench.run(agentLike({ wait: 60_000, child, file }))
  await expect.poll(() => bench.pidsIn(file)).toHaveLength(2)
  const [run] = bench.agents.live
  expect(await bench.agents.stop(run?.run ?? '')).toEqual([])
  await result
  return bench.pidsIn(file).filter(isAlive)
}
