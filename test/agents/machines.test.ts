/** The real programs call the tools of the built-in C64, and get text and a picture back. */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { argumentsOf } from '@shared/agentPresets'
import { afterEach, describe, expect, it } from 'vitest'
import { agentProgram, agentProgramNames, agentPrograms, type AgentProgram } from '../../scripts/lib/agentPrograms.mjs'
import { suggestedAgent } from '../../src-main/agents/agentSetups'
import { inOrder, type Step } from '../peers/modelApi/script'
import { filesOf } from '../support/oddAgents'
import { RealAgentHome } from '../support/realAgents'

const onMachine: readonly Step[] = [
  { call: 'memory', args: { op: 'write', address: '$c000', bytes: '2a' } },
  { call: 'memory', args: { op: 'read', address: '$c000', length: 1 } },
  { call: 'see', args: { op: 'picture' } },
]

let home: RealAgentHome | undefined
afterEach(async () => {
  await home?.remove()
  home = undefined
})

/** What came back of the three calls. */
function expectAnswers({ api }: RealAgentHome): void {
  expect(api.errors).toEqual([])
  const results = api.ledger.filter(({ isTask }) => isTask).at(-1)?.asked.results ?? []
  expect(results.map(({ images }) => images)).toEqual([0, 0, 1])
  expect(results[1]?.text).toMatch(/\b2a\b/i)
}

describe.each(agentProgramNames)('%s', (program) => {
  const { title } = agentPrograms[program]

  it(`${title} has the machines as an agent of a run, with what the person set up for it elsewhere`, async () => {
    home = await RealAgentHome.start(program, {
      script: inOrder(() => [...onMachine, { say: 'Done.' }]),
      agent: { machines: 'change' },
    })
    home.putInstructions('Answer the person as Ada.')
    home.repository.commit('Begin', filesOf.maestro())
    await home.calls.run('maestro', 'run', home.repository.root, '--trust')
    expectAnswers(home)
    expect(home.api.ledger.at(-1)?.asked.instructions).toContain('Answer the person as Ada.')
    expect(home.runs.map(({ reason }) => reason).join(' ')).not.toContain('no tools of the machines')
  })

  it(`${title} has them once “mcp install” wrote its configuration`, async () => {
    home = await RealAgentHome.start(program, { script: inOrder(() => [...onMachine, { say: 'Done.' }]) })
    await home.calls.data('mcp', 'install', program, '--allow', 'change', '--yes')
    const said = await runByHand(program, home)
    expectAnswers(home)
    expect(said).toContain('Done.')
  })
})

/** Nobody is asked, so that the tools are allowed beforehand. */
const allowingTools: Readonly<Record<AgentProgram, readonly string[]>> = {
  claude: ['--allowedTools', 'mcp__bridgedeck'],
  gemini: ['--approval-mode=yolo', '--skip-trust'],
  codex: ['--skip-git-repo-check', '-c', 'mcp_servers.bridgedeck.default_tools_approval_mode="approve"'],
}

/** As a person starts it, in a folder of theirs. */
async function runByHand(program: AgentProgram, { calls }: RealAgentHome): Promise<string> {
  const cwd = join(calls.folder, 'work')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'notes.txt'), 'Notes\n')
  const args = argumentsOf({ ...suggestedAgent(program), args: allowingTools[program] })
  const child = spawn(agentProgram(program) ?? '', args, {
    cwd,
    env: calls.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end('Look at the C64.\n')
  const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return said + errors
}
