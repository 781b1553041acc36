/** The real Gemini CLI does one turn of a run with one call of a tool; `npm run test:agents` has the rest. */
import { expect, it } from 'vitest'
import { agentProgram, notInstalled } from '../../scripts/lib/agentPrograms.mjs'
import { inOrder, type Step } from '../peers/modelApi/script'
import { filesOf } from '../support/oddAgents'
import { RealAgentHome } from '../support/realAgents'

const report = [
  '## Task Report',
  '- **Status**: success',
  '- **Files Created**: `phase-1.md`',
  '- **Validation**: pass',
  '## Downstream Context',
  '- **Warnings**: none',
].join('\n')

const steps: readonly Step[] = [
  { call: 'memory', args: { op: 'read', address: '$0001', length: 1 } },
  { run: "echo '# Reading' > phase-1.md && git add phase-1.md && git commit -q -m 'feat: Reading'" },
  { say: report },
]

it('Gemini CLI does the work of a run, reads the C64 by our tools, and its tokens are those of its service', async ({
  skip,
}) => {
  skip(agentProgram('gemini') === undefined, notInstalled('gemini'))
  const home = await RealAgentHome.start('gemini', { script: inOrder(() => steps) })
  try {
    const { calls, repository, api } = home
    repository.commit('Begin', filesOf.maestro())
    const { code, stderr } = await calls.run('maestro', 'run', repository.root, '--trust')
    expect(api.errors).toEqual([])
    expect(stderr).toContain('Archived the session')
    expect([code, repository.git('log', '-1', '--format=%s')]).toEqual([0, 'feat: Reading'])
    expect(api.ledger.at(-1)?.asked.results[0]?.text).toMatch(/0001 +37/)
    expect(home.runs.map(({ status, tokens }) => [status, tokens])).toEqual([['success', api.tokensOf('gemini')]])
  } finally {
    await home.remove()
  }
})
