#!/usr/bin/env node
/**
 * An agent that does what Meta-Shell's roles ask, told by the heading of its prompt: passes the test before its first run,
 * plans `--tasks N` tasks in a row, carries one out as a file and a commit in the folder that it is started in, and finds that
 * all is done. Each takes `--wait MS`; the role that a file `.hold` in the folder names (Executor where it is empty) waits as
 * long as the file is there. `--commits N` makes so many for a task, `--leaves 1` leaves a file without one. A file `.check` there has
 * the command by which the plan wants each task checked. Started as Claude Code, it prints like it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const prompt = readFileSync(0, 'utf8')
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=Agent', '-c', 'user.email=agent@example.org', ...args], {
    encoding: 'utf8',
  }).trim()
const [, role] = /^# (\w+)/.exec(prompt) ?? []
await wait(option('wait', 0))
while (heldRole() === role) await wait(20)

function heldRole() {
  try {
    return readFileSync('.hold', 'utf8').trim() || 'Executor'
  } catch {
    return undefined
  }
}

const answers = {
  Test: () => {
    writeFileSync('ready.txt', 'ready\n')
    return { task_id: 'test', status: 'complete', commits: [], message: 'Ready.' }
  },
  Researcher: () => ({ phase_id: '1', knowledge: [] }),
  Planner: () => {
    const ids = Array.from({ length: option('tasks', 3) }, (_, index) => String(index + 1).padStart(2, '0'))
    return {
      phase_id: '1',
      tasks: ids.map((id, index) => ({
        id,
        title: `Part ${id}`,
        dependencies: ids.slice(0, index).slice(-1),
        ...(existsSync('.check') ? { verification_cmd: readFileSync('.check', 'utf8').trim() } : {}),
      })),
    }
  },
  Executor: () => {
    const [, task = '{}'] = /## Task\n\n(\{.*?\n\})/s.exec(prompt) ?? []
    const { id } = JSON.parse(task)
    const files = Array.from({ length: option('commits', 1) }, (_, index) => `${id}${index ? `-${index + 1}` : ''}.txt`)
    for (const file of files) {
      if (!existsSync(file)) writeFileSync(file, `${id}\n`)
      git('add', file)
      if (git('diff', '--cached', '--name-only') !== '') git('commit', '--quiet', '-m', `feat(${id}): part`)
    }
    if (option('leaves', 0) > 0) writeFileSync('left.txt', 'left\n')
    return {
      task_id: id,
      status: 'complete',
      verification_result: { success: true, command: 'true' },
      commits: files.map((file) => git('log', '-1', '--format=%H', '--', file)),
    }
  },
  Verifier: () => ({ phase_id: '1', passed: true, checks: [], gaps: [] }),
}
const answer = `Done:\n${JSON.stringify(answers[role]?.() ?? {}, null, 2)}\n`
const isClaude = process.argv.includes('stream-json')
const event = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: answer,
  num_turns: 1,
  total_cost_usd: 0.01,
}
process.stdout.write(isClaude ? `${JSON.stringify(event)}\n` : answer)
