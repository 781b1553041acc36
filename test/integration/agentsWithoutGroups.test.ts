/** Linux without cgroup v2, or where ours may not be divided: what an agent leaves behind is known by the other marks. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AgentRun } from '@shared/contract/agents'
import { AgentBench, agentLike, isAlive } from '../support/agentBench'
import { stopWithChild } from '../support/stopWithChild'

vi.mock('../../src-main/agents/cgroup', async (original) => ({
  ...(await original<typeof import('../../src-main/agents/cgroup')>()),
  enterGroup: () => undefined,
  makeGroup: () => undefined,
}))

let bench: AgentBench
beforeEach(() => {
  bench = new AgentBench()
})
afterEach(() => bench.close())

describe.runIf(process.platform === 'linux')('where an agent gets no cgroup', () => {
  it('one that forked twice out of its group, with nothing of it, is ended with the agent that is stopped', async () => {
    expect(await stopWithChild(bench, 'daemon')).toEqual([])
  })

  it('an agent that was given the same mark by another Bridgedeck at the same moment lives on', async () => {
    const ends = [bench.run(agentLike({ wait: 60_000 })), bench.run(agentLike({ wait: 60_000 }))]
    await expect.poll(() => bench.agents.live.map(({ state }) => state)).toEqual(['running', 'running'])
    const [mine, other] = bench.agents.live
    const markOf = (run?: AgentRun) => `/proc/${run?.pid ?? 0}/oom_score_adj`
    expect(readFileSync(markOf(mine), 'utf8')).not.toBe(readFileSync(markOf(other), 'utf8'))
    writeFileSync(markOf(other), readFileSync(markOf(mine)))
    expect(await bench.agents.stop(mine?.run ?? '')).toEqual([])
    expect(isAlive(other?.pid ?? 0)).toBe(true)
    await bench.agents.close()
    await Promise.all(ends)
  })

  it('it is ended and told of when the agent ends by itself, and those of another agent live on', async () => {
    const mine = join(bench.folder, 'mine')
    const other = join(bench.folder, 'other')
    const goesOn = bench.run(agentLike({ wait: 60_000, child: 'daemon', file: other }))
    await expect.poll(() => bench.pidsIn(other)).toHaveLength(2)
    const result = await bench.run(agentLike({ child: 'daemon', file: mine }))
    expect(bench.pidsIn(mine).filter(isAlive)).toEqual([])
    const { runs } = await bench.agents.runs({ before: null })
    expect(runs.find(({ run }) => run === result.log)?.reason).toContain('It left a process running')
    expect(bench.pidsIn(other).filter(isAlive)).toHaveLength(2)
    await bench.agents.close()
    await goesOn
    expect(bench.pidsIn(other).filter(isAlive)).toEqual([])
  })
})
