#!/usr/bin/env node
/**
 * A stand-in for an agent in every loop: does what Meta-Shell's roles, the next task of a crew, or a phase and the review of a Maestro
 * session ask for, and prints like Claude Code. `--kind KIND` makes it one that does not do well:
 *
 *     reads-nothing  of its prompt, and ends 2
 *     ends-124       as `timeout` does
 *     signal         ends by one, once it has done its work
 *     grandchild     leaves a process in a session of its own behind
 *     never          ends
 *     usage-limit    says that its service's limit is reached, and resets in a second; its next run does well
 *     liar           reports a commit, a task or a file that does not exist
 *     silent         commits without telling
 *     careless       as a fixer of a skill: changes what is not there, until it is told so
 *     untidy         leaves a file uncommitted
 *     tears          leaves half of the run's state file behind
 *     asks           the person, where the format has a way to
 *     doubts         as a verifier: nothing passes
 *
 * Where it was given the machines, a task whose title has a PRG is a program that it runs on the built-in C64, and the screen is kept
 * as proof of it.
 *
 * `--file FILE` is told its process id and those of its children, a line each.
 */
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { programThatPrints, proveOnC64 } from './proveOnC64.mjs'

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : process.argv[at + 1]
}
const kind = option('kind', 'well')
const file = option('file', '/dev/null')
const runs = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0)
const isFirstRun = runs() === 0
const note = (pid) => appendFileSync(file, `${pid}\n`)
const print = (value) => {
  for (let bytes = Buffer.from(`${JSON.stringify(value)}\n`); bytes.length > 0;)
    bytes = bytes.subarray(writeSync(1, bytes))
}
const result = (text, more = {}) =>
  print({
    type: 'result',
    subtype: 'success',
    is_error: false,
    duration_ms: 1,
    num_turns: 1,
    session_id: 's',
    result: text,
    total_cost_usd: 0.01,
    usage: { input_tokens: 100, output_tokens: 40 },
    ...more,
  })

note(process.pid)
if (kind === 'reads-nothing') process.exit(2)
const prompt = readFileSync(0, 'utf8')
if (kind === 'ends-124') process.exit(124)
if (kind === 'never') {
  setInterval(() => undefined, 1_000)
  await new Promise(() => undefined)
}
if (kind === 'usage-limit' && isFirstRun) {
  const limit = `Claude AI usage limit reached|${Math.ceil(Date.now() / 1_000) + 1}`
  result(limit, { is_error: true, total_cost_usd: 0 })
  process.exit(1)
}
if (kind === 'grandchild') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
    detached: true,
    stdio: 'ignore',
  })
  child.unref()
  note(child.pid)
}

const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=Stand-in', '-c', 'user.email=stand-in@example.org', ...args], {
    encoding: 'utf8',
  }).trim()
/** @returns the commit that has it now */
function make(name, text, message, ...others) {
  mkdirSync(dirname(name), { recursive: true })
  if (!existsSync(name)) writeFileSync(name, text)
  git('add', name, ...others)
  if (git('diff', '--cached', '--name-only') !== '') git('commit', '--quiet', '-m', message)
  return git('log', '-1', '--format=%H', '--', name)
}
const change = (path, from, to) => writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
const heading = (name) => new RegExp(`^# ${name}\\b`, 'm').exec(prompt)
const [, role] = /^# (Test|Researcher|Planner|Executor|Verifier|Fixer)\b/.exec(prompt) ?? []

/** What Meta-Shell's roles answer. */
const roles = {
  Researcher: () => ({ phase_id: '1', knowledge: [] }),
  Planner: () => ({
    phase_id: '1',
    tasks: ['01', '02'].map((id) => ({ id, title: `Part ${id}`, dependencies: [] })),
  }),
  Executor: async () => {
    if (kind === 'asks')
      return { type: 'checkpoint', message: 'Which tape?', options: ['The first', 'The second'], resume_id: 'r1' }
    const [, text = '{}'] = /## Task\n\n(\{.*?\n\})/s.exec(prompt) ?? []
    const { id, title, files: [name = `part-${id}.txt`] = [] } = JSON.parse(text)
    const made =
      title.includes('PRG') && process.env.BRIDGEDECK_MCP
        ? await makeProven(id, title)
        : make(name, `${title}\n`, `feat(${id}): ${title}`)
    const commits = kind === 'liar' ? ['f'.repeat(40)] : kind === 'silent' ? [] : [made]
    return { task_id: id, status: 'complete', verification_result: { success: true, command: 'true' }, commits }
  },
  Verifier: () =>
    kind === 'doubts'
      ? { phase_id: '1', passed: false, checks: [], gaps: [{ description: 'Nothing is tested.' }] }
      : { phase_id: '1', passed: true, checks: [], gaps: [] },
}

/** @returns the commit of a program and of the screen that it made */
async function makeProven(id, title) {
  const text = `PROVEN ${id}`
  const source = programThatPrints(text)
  const screen = await proveOnC64(source, text)
  writeFileSync('proof.asm', source)
  writeFileSync('proof-screen.txt', `${screen}\n`)
  return make('proof.asm', source, `feat(${id}): ${title}`, 'proof-screen.txt')
}

const question = `---
from: product-owner
to: user
type: blocker
status: pending
created: "2026-03-02"
---

# BLOCKER: Tapes

## Question
Which tape?

## Options
- **Option A:** The first

## Your Answer (required to resume)
**Decision:** ___
**Reason:** ___
`

/** Words of a crew's files that follow from its tasks: the marks of phases, and the sums of INDEX.md. */
function sumUp() {
  const [top, ...phases] = readFileSync('tasks.md', 'utf8').split(/^(?=## )/m)
  const done = (text) => text.split('- [x] ').length - 1
  const all = (text) => done(text) + text.split('- [ ] ').length - 1
  const marked = phases.map((phase) => {
    const mark = done(phase) === all(phase) ? '✅ COMPLETE' : done(phase) > 0 ? '🔄 IN PROGRESS' : '⏳ PENDING'
    return phase.replace(/^(## .*? Phase).*/, `$1 ${mark}`)
  })
  const list = [top, ...marked].join('')
  writeFileSync('tasks.md', list)
  if (!existsSync('INDEX.md')) return
  change('INDEX.md', /(\*\*Progress:\*\* )\d+\/\d+/, `$1${done(list)}/${all(list)}`)
  const [, iteration = '0'] = /^current_iteration: (\d+)/m.exec(readFileSync('INDEX.md', 'utf8')) ?? []
  change('INDEX.md', /(\*\*Iteration:\*\* )\d+/, `$1${Number(iteration) + 1}`)
}

/** The next task of a crew, and its end after the last one. */
function crewTurn() {
  if (kind === 'liar') return 'Everything is done.'
  if (kind === 'asks') {
    mkdirSync('questions', { recursive: true })
    writeFileSync('questions/product-owner-001-tapes.md', question)
    return 'It needs a decision.'
  }
  const list = readFileSync('tasks.md', 'utf8')
  const [, task] = /^- \[ \] (.*)$/m.exec(list) ?? []
  if (task !== undefined) {
    change('tasks.md', `- [ ] ${task}`, `- [x] ${task}`)
    sumUp()
    make(`docs/${task.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.md`, `# ${task}\n`, `feat: ${task}`, 'tasks.md')
  }
  if (!readFileSync('tasks.md', 'utf8').includes('- [ ]')) {
    change('INDEX.md', /^status: \w+/m, 'status: complete')
    make('CREW_COMPLETE', '', 'chore: the crew is complete', 'INDEX.md')
  }
  return kind === 'silent' ? 'No change was needed.' : `${task ?? 'Everything'} is done.`
}

/** A phase of a Maestro session, with its report. */
function maestroPhase() {
  const [, id = '1', title = ''] = /^# Phase (\S+): (.*)$/m.exec(prompt) ?? []
  const [, planned] = /^Planned files:\n- (.*)$/m.exec(prompt) ?? []
  const name = planned ?? `phase-${id}.md`
  if (kind !== 'liar') make(name, `# ${title}\n`, `feat: ${title}`)
  return [
    '## Task Report',
    '- **Status**: success',
    `- **Files Created**: ${kind === 'silent' ? 'none' : `\`${name}\``}`,
    '- **Validation**: pass',
    '## Downstream Context',
    '- **Warnings**: none',
  ].join('\n')
}

/** A fix for an issue of a skill; what is not text of its file where the agent lies, or is careless. */
function skillFix() {
  if (kind === 'silent') make('notes.md', '# Notes\n', 'docs: notes')
  const isWrong = kind === 'liar' || (kind === 'careless' && !prompt.includes('could not be used'))
  const change = /^LLM-/m.test(prompt)
    ? { file: 'SKILL.md', old_content: '# Notes', new_content: '# Notes\n\nPlan before you write.' }
    : { file: 'phases/1.md', old_content: '${JSON.stringify(state)}', new_content: 'state.json' }
  const described = { ...change, action: 'modify', ...(isWrong ? { old_content: 'What is not there' } : {}) }
  return JSON.stringify({ description: 'Pass the path of the state', risk: 'low', changes: [described] })
}

/** Of the skill tuning runs that are there. */
function tuningStates() {
  const runs = '.workflow/.scratchpad'
  return existsSync(runs) ? readdirSync(runs).map((run) => `${runs}/${run}/state.json`) : []
}

/** What scanners cannot see in a skill. */
const skillAnalysis = () =>
  JSON.stringify({
    summary: '# No plan\n\nThe skill writes before it plans.',
    issues: [
      {
        type: 'memory_loss',
        severity: 'low',
        file: 'SKILL.md',
        quote: '# Notes',
        description: 'No plan',
        root_cause: 'It begins at once.',
        impact: 'It writes twice.',
        suggested_fix: 'Plan first.',
      },
    ],
  })

async function answer() {
  if (role === 'Test' || prompt.includes('ready.txt')) {
    writeFileSync('ready.txt', 'ready\n')
    return `ready\n${JSON.stringify({ task_id: 'test', status: 'complete', commits: [], message: 'Ready.' })}`
  }
  if (role !== undefined) return JSON.stringify((await roles[role]?.()) ?? {}, null, 2)
  if (prompt.startsWith('Propose a fix for one issue')) return skillFix()
  if (prompt.startsWith('Analyse the written instructions')) return skillAnalysis()
  if (prompt.includes('{"findings"')) return '{"findings": []}'
  if (heading('Phase')) return maestroPhase()
  return existsSync('tasks.md') ? crewTurn() : 'Done.'
}

const said = await answer()
if (kind === 'untidy') writeFileSync('scratch.txt', 'scratch\n')
if (kind === 'tears') {
  const states = ['.meta/session.json', 'tasks.md', '.gemini/state/active-session.md', ...tuningStates()]
  const state = states.find((path) => existsSync(path))
  if (state !== undefined) {
    const text = readFileSync(state, 'utf8')
    writeFileSync(state, text.slice(0, text.length / 2))
  }
}
if (kind === 'signal') process.kill(process.pid, 'SIGKILL')
result(said)
