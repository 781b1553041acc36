/**
 * What the real programs print at their end when the service of their model misbehaves: read as `knownOutputs` has it of the pinned
 * versions. With BRIDGEDECK_FINAL_OUTPUTS=FOLDER the outputs are kept there, for new rows.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { argumentsOf } from '@shared/agentPresets'
import {
  agentProgram,
  agentProgramNames,
  agentPrograms,
  notInstalled,
  type AgentProgram,
} from '../../scripts/lib/agentPrograms.mjs'
import { expectedOf } from '../../src-main/agents/finalOutputs/expectedOf'
import { knownOutputs } from '../../src-main/agents/finalOutputs/knownOutputs'
import { misbehaviours } from '../support/misbehaviours'
import { RealAgentHome } from '../support/realAgents'

const folder = process.env['BRIDGEDECK_FINAL_OUTPUTS']

let home: RealAgentHome | undefined
afterEach(async () => {
  await home?.remove()
  home = undefined
})

async function runOnce({ agent, calls, repository }: RealAgentHome) {
  const child = spawn(agent.command, argumentsOf(agent), {
    cwd: repository.root,
    env: { ...process.env, ...calls.environment, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  })
  child.stdin.end('Say hello.')
  const [output, errors, [exitCode, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
      child.once('close', (...end: [number | null, NodeJS.Signals | null]) => resolve(end)),
    ),
  ])
  return { output, errors, end: signal ?? exitCode ?? 1 }
}

/** The folder of the installed packages. */
function packagesOf(program: AgentProgram): string {
  const command = agentProgram(program)
  if (command === undefined) throw new Error(notInstalled(program))
  return resolve(command, '../..')
}

const filesOf = (packages: string): string[] =>
  readdirSync(packages, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /@(anthropic-ai|google|openai)\b/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))

describe.each(agentProgramNames)('%s', (program) => {
  it.each(Object.entries(misbehaviours))(
    `${agentPrograms[program].title} ends as its row has it when its service is: %s`,
    async (what, misbehaviour) => {
      home = await RealAgentHome.start(program, { script: () => ({ say: 'Hello.' }) })
      home.repository.commit('Begin', { 'a.txt': 'a\n' })
      home.api.misbehave(misbehaviour)
      const { output, errors, end } = await runOnce(home)
      if (folder !== undefined) {
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, `${program} ${what}.json`), JSON.stringify({ end, output, errors }, null, 2))
      }
      const row = knownOutputs[program].find(({ source }) => 'run' in source && source.run === what)
      if (row === undefined) throw new Error(`There is no row for ${what}.`)
      const lines = output.split('\n').filter((line) => line !== '')
      const now = Date.now()
      const read = expectedOf(program, [what, end, lines, 'answer', errors], now)
      const [, , , expected] = row.output
      // A time counts from when it is read.
      const isTime = typeof expected === 'number' && typeof read === 'number' && read > now
      expect(isTime ? expected : read, output + errors).toBe(expected)
    },
    600_000,
  )

  it('has the words of its rows in its package', () => {
    const words = knownOutputs[program].flatMap(({ source, version }) =>
      'words' in source && version === agentPrograms[program].version ? [source.words] : [],
    )
    const missing = new Set(words)
    for (const file of filesOf(packagesOf(program))) {
      const content = readFileSync(file)
      for (const word of missing) if (content.includes(word)) missing.delete(word)
    }
    expect([...missing]).toEqual([])
    expect(words.length).toBeGreaterThan(5)
  })
})
