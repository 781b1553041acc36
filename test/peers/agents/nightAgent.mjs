#!/usr/bin/env node
/**
 * An agent of a night: does what Meta-Shell's roles, a crew's next task, a phase of Maestro or an issue of a skill asks and prints like
 * Claude Code, each time at another price, and now and then in one of these ways:
 *
 *     deaf        reads nothing of its prompt, and ends 2
 *     late        ends 124, as `timeout` does
 *     dies        by a signal, once it has committed
 *     parent      leaves a process in a session of its own behind
 *     never       ends
 *     liar        reports a commit or a file that does not exist, or a fix of a line that is not there
 *     silent      commits without telling
 *     untidy      leaves a file uncommitted
 *
 * `nightAgent.mjs --tasks N --odd SHARE --time MS`: a plan has N tasks. While there is a file `hold` in its home, it prints
 * numbered events, each in two pieces.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : process.argv[at + 1]
}
const pick = (list) => list[Math.floor(Math.random() * list.length)]
const odd = ['deaf', 'late', 'dies', 'parent', 'never', 'liar', 'silent', 'untidy']
const kind = Math.random() < Number(option('odd', 0)) ? pick(odd) : 'well'

const work = (...words) =>
  execFileSync(fileURLToPath(new URL('nightWork.sh', import.meta.url)), words, { encoding: 'utf8' }).trim()
const event = (value) => {
  for (let bytes = Buffer.from(`${JSON.stringify(value)}\n`); bytes.length > 0;)
    bytes = bytes.subarray(writeSync(1, bytes))
}
if (kind === 'deaf') process.exit(2)
const prompt = readFileSync(0, 'utf8')
if (kind === 'late') process.exit(124)
if (kind === 'never') {
  setInterval(() => undefined, 1_000)
  await new Promise(() => undefined)
}
if (kind === 'parent') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
    detached: true,
    stdio: 'ignore',
  })
  child.unref()
}
if (kind === 'untidy') writeFileSync(`scratch-${process.pid}.txt`, 'scratch\n')

/** What Meta-Shell's roles answer. */
const roles = {
  Researcher: () => ({ phase_id: '1', knowledge: [] }),
  Planner: () => {
    const ids = Array.from({ length: Number(option('tasks', 3)) }, (_, index) => String(index + 1).padStart(3, '0'))
    return { phase_id: '1', tasks: ids.map((id) => ({ id, title: `Part ${id}`, dependencies: [] })) }
  },
  Executor: async () => {
    const [, task = '{}'] = /## Task\n\n(\{.*?\n\})/s.exec(prompt) ?? []
    const { id } = JSON.parse(task)
    const made = work('part', `${id}.txt`, `feat(${id}): part`)
    const commits = kind === 'liar' ? ['f'.repeat(40)] : kind === 'silent' ? [] : [made]
    return { task_id: id, status: 'complete', verification_result: { success: true, command: 'true' }, commits }
  },
  Verifier: () => ({ phase_id: '1', passed: true, checks: [], gaps: [] }),
}

/** A phase of a Maestro session, or the review at its end. */
async function phaseTurn() {
  if (prompt.includes('{"findings"')) return '{"findings": []}'
  const [, number] = /\bPart (\d+)/.exec(prompt) ?? []
  const file = `part-${number}.asm`
  work('part', file, `feat(${number}): part`)
  const created = kind === 'liar' ? ['nowhere.asm'] : kind === 'silent' ? [] : [file]
  return [
    '## Task Report',
    '- **Status**: success',
    `- **Files Created**: ${created.map((name) => `\`${name}\``).join(', ') || 'none'}`,
    '- **Validation**: pass',
    '## Downstream Context',
    '- **Warnings**: none',
  ].join('\n')
}

/** A fix of a skill's issue: a call inside the prompt of another, which is taken out. */
async function fixOf([, file]) {
  if (kind === 'silent') {
    work('part', `seen-${process.pid}.txt`, `chore: seen by ${process.pid}`)
  }
  const old_content = kind === 'liar' ? 'nowhere' : ', then call Task({ prompt: "build" })'
  return JSON.stringify({
    description: 'Plan only',
    risk: 'low',
    changes: [{ file, action: 'modify', old_content, new_content: '' }],
  })
}

const [, role] = /^# (Researcher|Planner|Executor|Verifier|Fixer)\b/.exec(prompt) ?? []
const issue = /^Evidence: (phases\/\d+\.md)/m.exec(prompt)
async function turn() {
  if (prompt.startsWith('Analyse ')) return '{"summary": "Agents call agents.", "issues": []}'
  if (issue) return fixOf(issue)
  if (process.env.MAESTRO_CURRENT_AGENT) return phaseTurn()
  return role === undefined ? work('crew') : JSON.stringify((await roles[role]?.()) ?? {}, null, 2)
}

const pause = () => wait((Math.random() * Number(option('time', 0))) / 2)
await pause()
for (let number = 1; existsSync(`${process.env.HOME}/hold`); number++) {
  writeSync(1, `{"type":"progress","number":${number},`)
  await wait(2)
  writeSync(1, `"text":"one of many"}\n`)
  await wait(2)
}
const result = await turn()
await pause()
if (kind === 'dies') process.kill(process.pid, 'SIGSEGV')
event({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result,
  num_turns: 1,
  kind,
  total_cost_usd: Math.round(1 + Math.random() * 60) / 1_000,
  usage: { input_tokens: Math.round(1 + Math.random() * 1_000), output_tokens: 10 },
})
