/** What the four loops do whose agent is at the usage limit of its service, where the run has a second one. */
import { expect, it } from 'vitest'
import { askingLoops, runWithOdd, type AskingLoop } from '../support/oddAgents'

/** Exit code, what became of the task, and the agents of its turns. */
const table: Readonly<Record<AskingLoop, readonly [code: number, state: string, agents: readonly string[]]>> = {
  metashell: [0, 'complete', ['odd', 'even', 'even']],
  ncrew: [0, '2 of 2 checked', ['odd', 'even', 'even']],
  maestro: [0, 'archived', ['odd', 'even']],
  tuning: [11, 'running, fixes: 1', ['odd', 'even']],
}
const taken = 'odd has reached its usage limit: even goes on'

it('the second agent takes the turns while the first is at its limit', async () => {
  const ends = await Promise.all(
    askingLoops.map(async (loop) => {
      const words = [...(loop === 'tuning' ? [] : ['--agent', 'odd']), '--second-agent', 'even']
      return [loop, await runWithOdd(loop, 'usage-limit', { words, hasSecond: true })] as const
    }),
  )
  for (const [loop, { code, state, agents, said }] of ends)
    expect([loop, said.includes(taken) ? taken : said, code, state, agents]).toEqual([loop, taken, ...table[loop]])
}, 240_000)
