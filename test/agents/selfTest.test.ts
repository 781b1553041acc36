/** The test of an agent before a run, in an empty folder, with the real programs as their presets are suggested. */
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { agentProgramNames, agentPrograms } from '../../scripts/lib/agentPrograms.mjs'
import { AgentTests } from '../../src-main/loops/agentTests'
import { agentTest } from '../../src-main/loops/metashell/agentTest'
import { ProjectStore } from '../../src-main/storage/projects'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { AgentBench } from '../support/agentBench'
import { RealAgentHome } from '../support/realAgents'

let home: RealAgentHome | undefined
let bench: AgentBench
beforeEach(() => {
  bench = new AgentBench()
})
afterEach(async () => {
  await bench.close()
  await home?.remove()
  home = undefined
  vi.unstubAllEnvs()
})

it.each(agentProgramNames)('%s passes it', async (program) => {
  home = await RealAgentHome.start(program)
  const { calls, repository, agent } = home
  for (const [name, value] of Object.entries(calls.environment)) vi.stubEnv(name, value)
  bench.agents.setups.save(agent)
  const project = new ProjectStore(bench.database).opened(repository.root, 1).id
  const tests = new AgentTests({
    sidecar: new SidecarStore(bench.database),
    agents: bench.agents,
    commandOf: (name: string) => name,
    folder: join(calls.folder, 'tests'),
  })
  const loop = { project, system: 'metashell', place: '.meta' } as const
  const { problems } = await tests.run(loop, program, agentTest(['executor']), new AbortController().signal)
  expect(problems, agentPrograms[program].title).toEqual([])
})
