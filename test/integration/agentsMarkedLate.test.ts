/** A computer so busy that an agent works before Bridgedeck has come to mark its process. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentBench } from '../support/agentBench'
import { stopWithChild } from '../support/stopWithChild'

vi.mock('../../src-main/agents/cgroup', async (original) => ({
  ...(await original<typeof import('../../src-main/agents/cgroup')>()),
  enterGroup: () => undefined,
}))
vi.mock('../../src-main/agents/inheritedMark', async (original) => ({
  ...(await original<typeof import('../../src-main/agents/inheritedMark')>()),
  giveMark: (_pid: number, mark: number | undefined) => mark,
}))

let bench: AgentBench
beforeEach(() => {
  bench = new AgentBench()
})
afterEach(() => bench.close())

describe.runIf(process.platform === 'linux')('an agent that forks before its process is marked', () => {
  it('takes the processes that kept nothing of it along when it is stopped', async () => {
    expect(await stopWithChild(bench, 'daemon')).toEqual([])
  })
})
