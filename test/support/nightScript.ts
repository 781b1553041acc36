/** What a model does in a night of the four loops: the work of nightWork.sh by the program's own tools, and the answers that the loops read. */
import { resolve } from 'node:path'
import { inOrder, type Asked, type Script, type Step } from '../peers/modelApi/script'
import { hashIn, object, report } from './loopScript'
import { numbers } from './nightLoops'

const work = (...words: readonly string[]): Step => ({
  run: [resolve('test/peers/agents/nightWork.sh'), ...words].map((word) => `'${word}'`).join(' '),
})
const part = (number: string): Step => work('part', `${number}.txt`, `feat(${number}): part`)

const roles: Readonly<Record<string, (asked: Asked, tasks: number) => readonly Step[]>> = {
  Researcher: () => [object({ phase_id: '1', knowledge: [] })],
  Planner: (_asked, tasks) => [
    object({ phase_id: '1', tasks: numbers(tasks).map((id) => ({ id, title: `Part ${id}`, dependencies: [] })) }),
  ],
  Executor: (asked) => {
    const [, id = ''] = /^## Task\n\n\{\s*"id": "(\w+)"/m.exec(asked.prompt) ?? []
    const commits = [hashIn(asked)]
    return [
      part(id),
      object({ task_id: id, status: 'complete', commits, verification_result: { success: true, command: 'true' } }),
    ]
  },
  Verifier: () => [object({ phase_id: '1', passed: true, checks: [], gaps: [] })],
}

/** A call in the prompt of another is taken out. */
const fixOf = (file: string) => ({
  description: 'Plan only',
  risk: 'low',
  changes: [{ file, action: 'modify', old_content: ', then call Task({ prompt: "build" })', new_content: '' }],
})

function stepsFor(asked: Asked, tasks: number): readonly Step[] {
  const { prompt } = asked
  const [, role = ''] = /^# (Researcher|Planner|Executor|Verifier)\b/m.exec(prompt) ?? []
  const ofRole = roles[role]
  if (ofRole) return ofRole(asked, tasks)
  if (/^Analyse /m.test(prompt)) return [object({ summary: 'Agents call agents.', issues: [] })]
  const [, file] = /^Evidence: (phases\/\d+\.md)/m.exec(prompt) ?? []
  if (file !== undefined) return [object(fixOf(file))]
  if (prompt.includes('{"findings"')) return [object({ findings: [] })]
  const [, phase] = /^# Phase [^\n]*\bPart (\d+)/m.exec(prompt) ?? []
  if (phase !== undefined) return [part(phase), { say: report(`${phase}.txt`) }]
  if (prompt.includes('tasks.md')) return [work('crew'), { say: 'The task is done.' }]
  throw new Error(`No turn of a night: ${prompt.slice(0, 300)}`)
}

export const nightScript = (tasks: number): Script => inOrder((asked) => stepsFor(asked, tasks))
