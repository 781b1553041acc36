#!/usr/bin/env node
/**
 * A Gemini CLI for batches of Maestro, good or bad. What it does stands in `gemini.json` of its working folder, or of
 * MAESTRO_STAND_IN_FOLDER, by the agent that it plays (MAESTRO_CURRENT_AGENT):
 *
 *     readsNothing  of its standard input
 *     exit          its exit code (0); `signal`: ends itself by this signal
 *     wait          ms before its end; `forever`: it never ends, and ignores SIGTERM when `stubborn`
 *     holds         until there is no file `hold` in its folder
 *     lingers       the same once it has answered
 *     child         leaves a process behind in its group, which never ends
 *     bytes         that it prints before its answer
 *     says          on its standard error
 *     answer        its answer; a list has one for each of its starts, the last for all further ones
 *     writes        files by name, with their text
 *     moves         files by name, each with where it puts it; null deletes it
 *     commits       what it wrote: `told` names the commit in its report, `silent` does not
 *     tokens        as it counts them: prompt, candidates, cached
 *
 * Without an answer it reports success where a report was asked for, and finds nothing where a review was.
 *
 * It adds a line to `gemini-calls.jsonl` when it starts and when it ends by itself: agent, pid, argv, stdin, Maestro's variables, time.
 */
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const agent = process.env.MAESTRO_CURRENT_AGENT ?? ''
/** Of the files by which a test tells it what to do, and it tells the test what it did. */
const folder = process.env.MAESTRO_STAND_IN_FOLDER ?? '.'
const [orders, calls, held] = ['gemini.json', 'gemini-calls.jsonl', 'hold'].map((name) => join(folder, name))
const script = existsSync(orders) ? JSON.parse(readFileSync(orders, 'utf8')) : {}
const fake = { exit: 0, ...script[agent] }
/** Of this agent before this one. A line that another is just writing is not its own. */
const starts = () =>
  (existsSync(calls) ? readFileSync(calls, 'utf8') : '')
    .split('\n')
    .filter((line) => line.startsWith(`{"what":"start","agent":"${agent}"`)).length
const number = Array.isArray(fake.answer) ? starts() : 0
const report = [
  '## Task Report',
  '- **Status**: success',
  `- **Files Created**: ${
    Object.keys(fake.writes ?? {})
      .map((name) => `\`${name}\``)
      .join(', ') || 'none'
  }`,
  ...(fake.commits === 'told' ? ['- **Commits**: HASH'] : []),
  '- **Validation**: pass',
  '## Downstream Context',
  `- **Warnings**: ${agent} was here`,
].join('\n')
function answerTo(prompt) {
  if (typeof fake.answer === 'string') return fake.answer
  if (fake.answer) return fake.answer[Math.min(number, fake.answer.length - 1)]
  if (prompt?.includes('## Task Report')) return report
  return prompt?.includes('{"findings"') ? '{"findings": []}' : `${agent} is done`
}
const note = (what, more = {}) =>
  appendFileSync(calls, `${JSON.stringify({ what, agent, pid: process.pid, time: Date.now(), ...more })}\n`)
/** Git refuses while another commits. */
async function commit() {
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { stdio: 'pipe' }).toString()
  for (let tries = 0; ; tries++)
    try {
      git('add', ...Object.keys(fake.writes))
      git('commit', '--quiet', '-m', `By ${agent}`, ...Object.keys(fake.writes))
      const hash = git('log', '-1', '--format=%H', `--grep=By ${agent}`).trim()
      note('commit', { hash })
      return hash
    } catch (error) {
      if (tries > 500) throw error
      await wait(20)
    }
}
const say = (bytes) => {
  for (let left = bytes; left.length > 0;) left = left.subarray(writeSync(1, left))
}

if (fake.stubborn) process.on('SIGTERM', () => undefined)
if (fake.child) {
  const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => 0); setInterval(() => 0, 1000)'], {
    stdio: 'ignore',
  })
  child.unref()
  note('child', { pid: child.pid })
}
const stdin = fake.readsNothing ? null : readFileSync(0, 'utf8')
note('start', {
  run: process.env.BRIDGEDECK_AGENT_RUN,
  argv: process.argv.slice(2),
  stdin,
  variables: Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('MAESTRO_'))),
})
if (stdin?.includes('ready.txt')) writeFileSync('ready.txt', 'ready\n')
for (const [name, text] of Object.entries(fake.writes ?? {})) writeFileSync(name, text)
for (const [name, to] of Object.entries(fake.moves ?? {})) to === null ? rmSync(name) : renameSync(name, to)
const hash = fake.commits ? await commit() : ''
if (fake.says) writeSync(2, `${fake.says}\n`)
for (let left = fake.bytes ?? 0; left > 0; left -= 1_000_000) say(Buffer.alloc(Math.min(left, 1_000_000), 'x'))
if (fake.forever) setInterval(() => undefined, 1000)
else {
  if (fake.wait) await wait(fake.wait)
  while (fake.holds && existsSync(held)) await wait(20)
  if (fake.signal) {
    process.kill(process.pid, fake.signal)
    await wait(60_000)
  }
  say(
    Buffer.from(
      `${JSON.stringify({ response: answerTo(stdin).replace('HASH', hash), stats: { models: { m: { tokens: { total: 145, ...fake.tokens } } } } })}\n`,
    ),
  )
  while (fake.lingers && existsSync(held)) await wait(20)
  note('end')
  process.exit(fake.exit)
}
