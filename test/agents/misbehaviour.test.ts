/**
 * What each loop does with each program when the service of its model misbehaves. docs/agent-services.md has the outcome; `npm run
 * test:agents -- misbehaviour --table docs/agent-services.md` writes it anew.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { agentProgramNames, agentPrograms, versionUsed, type AgentProgram } from '../../scripts/lib/agentPrograms.mjs'
import { misbehaviours } from '../support/misbehaviours'
import { askingLoops, type AskingLoop } from '../support/oddAgents'
import { runRealLoop, type LoopEnd } from '../support/realAgents'

/** In a few words, as the table has it. */
function outcomeOf({ code, said, runs, needs }: LoopEnd): string {
  if (said.includes('trying again at')) return 'waits'
  const failed = runs.filter(({ status }) => status !== 'success').length
  const need = needs.length === 0 ? '' : `; need: ${[...new Set(needs.map((text) => text.split(':')[0]))].join(', ')}`
  return `${failed === 0 ? 'done' : `${failed} of ${runs.length} turns failed`}${need}; exit ${code}`
}

/** No tool is called here. */
const agent = { machines: 'none' } as const

const outcomes = new Map<string, string>()
const keyOf = (loop: AskingLoop, what: string, program: AgentProgram): string => `${loop} | ${what} | ${program}`

const table = process.env['BRIDGEDECK_MISBEHAVIOUR_TABLE']
const known = resolve('docs/agent-services.md')

/** Of the table, by loop, what happens and program. */
function readTable(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (!existsSync(known)) return found
  let loop: AskingLoop | undefined
  for (const line of readFileSync(known, 'utf8').split('\n')) {
    const heading = /^## (\w+)$/.exec(line)?.[1]
    loop = askingLoops.find((name) => name === heading) ?? loop
    const [, what = '', ...cells] = line.split('|').map((cell) => cell.trim())
    if (loop === undefined || !Object.hasOwn(misbehaviours, what)) continue
    for (const [index, program] of agentProgramNames.entries())
      found.set(keyOf(loop, what, program), cells[index] ?? '')
  }
  return found
}

function tableText(): string {
  const before = readTable()
  const cell = (key: string) => outcomes.get(key) ?? before.get(key) ?? 'not run'
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const titles = agentProgramNames.map((name) => `${agentPrograms[name].title} ${versionUsed(name)}`)
  const tables = askingLoops.map((loop) =>
    [
      `## ${loop}`,
      '',
      row(['Service', ...titles]),
      row(['---', ...titles.map(() => '---')]),
      ...Object.keys(misbehaviours).map((what) =>
        row([what, ...agentProgramNames.map((program) => cell(keyOf(loop, what, program)))]),
      ),
      '',
    ].join('\n'),
  )
  return `${introduction}\n${tables.join('\n')}`
}

const introduction = `# When an agent’s service misbehaves

What a run does when the service of its agent’s model answers every request so. The tables are made from runs of the real programs
(\`npm run test:agents -- misbehaviour --table docs/agent-services.md\`), each of which tries a request twice by itself.
_waits_: the turn is taken again later, by itself. _need_: what is in the inbox then. _exit_: the exit code of the command.
`

// After each, so that what was run is kept where the rest is not.
afterEach(() => {
  if (table !== undefined) writeFileSync(table, tableText())
})

describe.each(agentProgramNames)('%s', (program) => {
  it.each(Object.keys(misbehaviours))(
    `a run with ${agentPrograms[program].title} ends as the table has it when its service is: %s`,
    async (what) => {
      const misbehaviour = misbehaviours[what]
      if (misbehaviour === undefined) throw new Error(`There is no misbehaviour ${what}.`)
      const ends = await Promise.all(
        askingLoops.map(async (loop) => [loop, await runRealLoop(loop, program, { misbehaviour, agent })] as const),
      )
      for (const [loop, end] of ends) {
        expect(end.errors).toEqual([])
        const outcome = outcomeOf(end)
        outcomes.set(keyOf(loop, what, program), outcome)
        if (table === undefined)
          expect([loop, outcome], end.said).toEqual([loop, readTable().get(keyOf(loop, what, program))])
      }
    },
    600_000,
  )
})
