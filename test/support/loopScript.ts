/** What a model does in the turns of all four loops: the work itself by the program's own tools, and the answer that each loop reads. */
import { inOrder, type Asked, type Script, type Step } from '../peers/modelApi/script'

const commitAll = (message: string): string => `git add -A && git commit -q -m '${message}' && git rev-parse HEAD`

/** Printed by the last command. */
export const hashIn = (asked: Asked): string => /\b[0-9a-f]{40}\b/.exec(asked.results.at(-1)?.text ?? '')?.[0] ?? 'none'

export const object = (value: object): Step => ({ say: JSON.stringify(value) })

/** Meta-Shell's roles. */
const roles: Readonly<Record<string, (asked: Asked) => readonly Step[]>> = {
  Test: () => [
    { run: 'echo ready > ready.txt' },
    object({ task_id: 'test', status: 'complete', commits: [], message: 'Ready.' }),
  ],
  Executor: (asked) => [
    { run: `echo tapes > part-01.txt && ${commitAll('feat(01): Read tapes')}` },
    object({
      task_id: '01',
      status: 'complete',
      commits: [hashIn(asked)],
      verification_result: { success: true, command: 'true' },
    }),
  ],
  Verifier: () => [object({ phase_id: '1', passed: true, checks: [], gaps: [] })],
}

/** Without a command in a command, which Gemini CLI refuses. */
const nextOfCrew = [
  String.raw`sed -i '0,/^- \[ \] /s//- [x] /' tasks.md`,
  String.raw`grep '^- \[x\]' tasks.md > done.md`,
  String.raw`if ! grep -q '^- \[ \]' tasks.md; then sed -i 's/^status: .*/status: complete/' INDEX.md; touch CREW_COMPLETE; fi`,
  commitAll('feat: a task'),
].join('; ')

/** Of a phase of Maestro. @param file that was made */
export const report = (file: string): string =>
  [
    '## Task Report',
    '- **Status**: success',
    `- **Files Created**: \`${file}\``,
    '- **Validation**: pass',
    '## Downstream Context',
    '- **Warnings**: none',
  ].join('\n')

const fix = {
  description: 'Pass the path of the state',
  risk: 'low',
  changes: [
    {
      file: 'phases/1.md',
      action: 'modify',
      old_content: '${JSON.stringify(state)}',
      new_content: 'state.json',
    },
  ],
}

function stepsFor(asked: Asked): readonly Step[] {
  const { prompt } = asked
  const [, role = ''] = /^# (Test|Executor|Verifier)\b/m.exec(prompt) ?? []
  const ofRole = roles[role]
  if (ofRole) return ofRole(asked)
  if (prompt.includes('Propose a fix for one issue')) return [object(fix)]
  if (prompt.includes('{"findings"')) return [{ say: '{"findings": []}' }]
  if (/^# Phase \S+: /m.test(prompt))
    return [{ run: `echo '# Reading' > phase-1.md && ${commitAll('feat: Reading')}` }, { say: report('phase-1.md') }]
  if (prompt.includes('tasks.md')) return [{ run: nextOfCrew }, { say: 'The task is done.' }]
  return [{ say: 'ready' }]
}

export const loopScript: Script = inOrder(stepsFor)
