import { tuningStatus, type TuningStatus } from '../../../loops/tuning/tuningStatus'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import type { Printed } from '../../printed'
import { loadRemembered } from '../../remembered'
import { counted, oneLine } from '../../runText'
import { projectFolder, tuningGroup as group } from './group'

export const tuningStatusCommand = defineCommand({
  group,
  name: 'status',
  summary: 'Show the state of the tuning runs, and what comes next.',
  positionals: { folder: projectFolder },
  data: {
    folder: 'absolute path',
    runs: '[{ run, skill, status, score, gate, iterations, maxIterations, issues, urgent, pending, left, unverified, errors, next }]',
  },
  examples: ['tuning status resources/sample-project'],
  run: async ({ output, signal }, { folder }) => {
    const found = await tuningStatus(folder, loadRemembered, signal)
    output.result(found, found.runs.flatMap(describe))
    return EXIT_OK
  },
})

const describe = (run: TuningStatus): Printed => [
  `${run.run}: ${run.status ?? 'unknown'}`,
  ...(run.skill === null ? [] : [`  Skill: ${oneLine(run.skill)}`]),
  `  Score: ${run.score ?? 'unknown'}, gate: ${run.gate ?? 'unknown'}; ${counted(run.issues, 'issue')}, ${run.urgent} critical or high`,
  `  Iterations: ${run.iterations} of ${run.maxIterations}; ${counted(run.errors, 'error')}`,
  ...(run.pending.length === 0 ? [] : [`  To apply: ${run.pending.join(', ')}`]),
  ...run.left.map(({ issue, because }) => `  ${oneLine(issue)}: left to a person or an agent because ${because}`),
  ...(run.unverified.length === 0 ? [] : [`  To verify: ${run.unverified.join(', ')}`]),
  `  Next: ${oneLine(run.next)}`,
]
