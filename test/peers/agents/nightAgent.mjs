#!/usr/bin/env node
/**
 * An agent of a night: does what Meta-Shell's roles or a crew's next task ask and prints like Claude Code, each time at another
 * price, and now and then in one of these ways:
 *
 *     deaf        reads nothing of its prompt, and ends 2
 *     late        ends 124, as `timeout` does
 *     dies        by a signal, once it has committed
 *     parent      leaves a process in a session of its own behind
 *     never       ends
 *     liar        reports a commit that does not exist
 *     silent      commits without telling
 *     untidy      leaves a file uncommitted
 *
 * `nightAgent.mjs --file FILE --tasks N --odd SHARE --time MS`: tells FILE its process and those of its children, a line each.
 */
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : process.argv[at + 1]
}
const note = (pid) => appendFileSync(option('file', '/dev/null'), `${pid}\n`)
const pick = (list) => list[Math.floor(Math.random() * list.length)]
const odd = ['deaf', 'late', 'dies', 'parent', 'never', 'liar', 'silent', 'untidy']
const kind = Math.random() < Number(option('odd', 0)) ? pick(odd) : 'well'

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()
const event = (value) => {
  for (let bytes = Buffer.from(`${JSON.stringify(value)}\n`); bytes.length > 0;)
    bytes = bytes.subarray(writeSync(1, bytes))
}
const commit = (message, ...files) => {
  git('add', ...files)
  if (git('diff', '--cached', '--name-only') !== '') git('commit', '--quiet', '-m', message)
}

note(process.pid)
if (kind === 'deaf') process.exit(2)
const prompt = readFileSync(0, 'utf8')
const [, role] = /^# (Researcher|Planner|Executor|Verifier|Fixer)\b/.exec(prompt) ?? []
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
  note(child.pid)
}
if (kind === 'untidy') writeFileSync(`scratch-${process.pid}.txt`, 'scratch\n')

/** What Meta-Shell's roles answer. */
const roles = {
  Researcher: () => ({ phase_id: '1', knowledge: [] }),
  Planner: () => {
    const ids = Array.from({ length: Number(option('tasks', 3)) }, (_, index) => String(index + 1).padStart(3, '0'))
    return { phase_id: '1', tasks: ids.map((id) => ({ id, title: `Part ${id}`, dependencies: [] })) }
  },
  Executor: () => {
    const [, task = '{}'] = /## Task\n\n(\{.*?\n\})/s.exec(prompt) ?? []
    const { id } = JSON.parse(task)
    if (!existsSync(`${id}.txt`)) writeFileSync(`${id}.txt`, `${id}\n`)
    commit(`feat(${id}): part`, `${id}.txt`)
    const made = git('log', '-1', '--format=%H', '--', `${id}.txt`)
    const commits = kind === 'liar' ? ['f'.repeat(40)] : kind === 'silent' ? [] : [made]
    return { task_id: id, status: 'complete', verification_result: { success: true, command: 'true' }, commits }
  },
  Verifier: () => ({ phase_id: '1', passed: true, checks: [], gaps: [] }),
}

/** The next task of a crew; its end where there is none. */
function crewTurn() {
  const list = readFileSync('tasks.md', 'utf8')
  const [, task] = /^- \[ \] (.*)$/m.exec(list) ?? []
  if (task === undefined) {
    writeFileSync('CREW_COMPLETE', '')
    commit('chore: the crew is complete', 'CREW_COMPLETE')
    return 'The crew is done.'
  }
  const name = task.toLowerCase().replaceAll(' ', '-')
  mkdirSync('docs', { recursive: true })
  writeFileSync(`docs/${name}.md`, `# ${task}\n`)
  writeFileSync('tasks.md', list.replace(`- [ ] ${task}\n`, `- [x] ${task}\n`))
  commit(`feat: ${task}`, 'tasks.md', `docs/${name}.md`)
  return `${task} is done.`
}

const pause = () => wait((Math.random() * Number(option('time', 0))) / 2)
await pause()
const result = role === undefined ? crewTurn() : JSON.stringify(roles[role]?.() ?? {}, null, 2)
await pause()
if (kind === 'dies') process.kill(process.pid, 'SIGSEGV')
event({
  ...{ type: 'result', subtype: 'success', is_error: false, result, num_turns: 1, kind },
  total_cost_usd: Math.round(1 + Math.random() * 60) / 1_000,
})
