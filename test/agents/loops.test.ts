/** The real programs as agents of each loop, once each. */
import { describe, expect, it } from 'vitest'
import { agentProgramNames, agentPrograms } from '../../scripts/lib/agentPrograms.mjs'
import { askingLoops, type AskingLoop } from '../support/oddAgents'
import { runRealLoop } from '../support/realAgents'

/** What a run of one task comes to: its exit code, what its files say, the agent's commits. */
const ends: Readonly<Record<AskingLoop, readonly [code: number, state: string, commits: number]>> = {
  metashell: [0, 'complete', 1],
  ncrew: [0, '2 of 2 checked', 2],
  maestro: [0, 'archived', 1],
  // A fix was proposed, and waits for the person.
  tuning: [11, 'running, fixes: 1', 0],
}

describe.each(agentProgramNames)('%s', (program) => {
  it.each(askingLoops)(`${agentPrograms[program].title} does the work of a run of %s`, async (loop) => {
    const { code, state, commits, said, runs, tokensTold, errors } = await runRealLoop(loop, program)
    expect(errors).toEqual([])
    expect([code, state, commits], said).toEqual(ends[loop])
    expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'success'))
    expect(runs.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0)).toBe(tokensTold)
  })
})
