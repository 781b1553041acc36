#!/usr/bin/env node
/**
 * A program that behaves like the command line of an agent, well or badly. It takes the arguments of the real ones and obeys one
 * of its own, `--fake JSON`:
 *
 *     as          claude, gemini, codex or plain: whose output it prints (plain)
 *     wholeObject the one JSON object of `--output-format json` instead of events
 *     answer      what it answers; `%prompt%` stands for what it was asked ("%prompt%")
 *     cost, turns what it says it used; a turn takes `turnTime` ms
 *     wait        ms before its answer
 *     lines, rate lines of text that it prints, so many a second (all at once); `longLine`: bytes of one line more
 *     events      objects that it prints after its turns, a line each, with `eventTime` ms before each
 *     hostile     prints what terminals and browsers obey
 *     write       { file, text, how }: writes a file `whole`, `atomic`ally, or `half` and then goes on
 *     failure     what it says went wrong; `limit`: that it reached its most turns
 *     exit        its exit code (0); `signal`: ends itself by this signal
 *     stubborn    ignores SIGTERM
 *     child       leaves a process behind: in its `group`, `escaped` into a session of its own, `hidden`: that without its environment,
 *                 `printing`: that without its parent, or a `daemon`: that with nothing of it, not its folder and not its output
 *     forks       processes that each start the next and end, all in sessions of their own
 *     file        is told its process id, and those of its children, a line each
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const at = process.argv.indexOf('--fake')
const fake = {
  as: 'plain',
  answer: '%prompt%',
  turns: 1,
  turnTime: 0,
  exit: 0,
  ...JSON.parse(at < 0 ? '{}' : (process.argv[at + 1] ?? '{}')),
}

const say = (text) => {
  for (let bytes = Buffer.from(text); bytes.length > 0;) bytes = bytes.subarray(writeSync(1, bytes))
}
const event = (value) => say(`${JSON.stringify(value)}\n`)
const note = (pid) => {
  if (fake.file) appendFileSync(fake.file, `${pid}\n`)
}

if (fake.stubborn) process.on('SIGTERM', () => undefined)
note(process.pid)
const prompt = readFileSync(0, 'utf8')
const answer = fake.answer.replaceAll('%prompt%', prompt.trim())

const idle = 'process.on("SIGTERM", () => process.exit(143)); setInterval(() => undefined, 1000)'
if (fake.child === 'printing' || fake.child === 'daemon') {
  const inherits = fake.child === 'printing'
  const orphan = `require('fs').appendFileSync(${JSON.stringify(fake.file)}, process.pid + '\\n'); ${idle}`
  const options = `{ detached: true, env: {}, cwd: '/', stdio: '${inherits ? 'inherit' : 'ignore'}' }`
  const parent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(orphan)}], ${options}).unref()`
  spawnSync(process.execPath, ['-e', parent], { env: {}, cwd: '/', stdio: inherits ? 'inherit' : 'ignore' })
} else if (fake.child) {
  const escaped = fake.child !== 'group'
  const child = spawn(process.execPath, ['-e', idle], {
    detached: escaped,
    stdio: 'ignore',
    env: fake.child === 'hidden' ? {} : process.env,
  })
  child.unref()
  note(child.pid)
}
if (fake.forks) {
  const fork = `const n = Number(process.argv[1]); require('fs').appendFileSync(${JSON.stringify(fake.file)}, process.pid + '\\n')
    if (n > 0) require('child_process').spawn(process.execPath, ['-e', process.env.CODE, String(n - 1)], { detached: true, stdio: 'ignore' }).unref()
    process.on('SIGTERM', () => undefined)
    setTimeout(() => process.exit(), n > 0 ? 150 : 60000)`
  spawn(process.execPath, ['-e', fork, String(fake.forks)], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, CODE: fork },
  }).unref()
}

const usage = { input_tokens: 100, cache_creation_input_tokens: 20, cache_read_input_tokens: 3, output_tokens: 40 }

if (fake.as === 'claude' && !fake.wholeObject) event({ type: 'system', subtype: 'init', session_id: 's' })
if (fake.as === 'gemini' && !fake.wholeObject) event({ type: 'init', session_id: 's', model: 'm' })
if (fake.as === 'codex') {
  event({ type: 'thread.started', thread_id: 't' })
  event({ type: 'turn.started' })
}
for (let turn = 1; turn <= fake.turns; turn++) {
  if (fake.as === 'claude' && !fake.wholeObject)
    event({ type: 'assistant', message: { id: `m${turn}`, content: [{ type: 'text', text: `turn ${turn}` }], usage } })
  if (fake.turnTime) await wait(fake.turnTime)
}
for (const one of fake.events ?? []) {
  if (fake.eventTime) await wait(fake.eventTime)
  event(one)
}
if (fake.hostile) {
  say(
    '\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;http://example.invalid\u001b\\link\u001b]8;;\u001b\\ <script>alert(1)</script> <img src=x onerror=alert(1)>\u202e\u0000\n',
  )
  writeSync(2, '\u001b[2J\u001b[1;1Hwiped\n')
  event({
    type: 'result',
    result: { toString: 'x' },
    usage: [],
    total_cost_usd: 'many',
    num_turns: -1,
    __proto__: { polluted: true },
  })
}
if (fake.lines) {
  const line = (number) => `line ${number} ${'x'.repeat(80)}\n`
  if (fake.rate) {
    for (let number = 0; number < fake.lines; number++) {
      say(line(number))
      if (number % Math.max(1, Math.round(fake.rate / 20)) === 0) await wait(50)
    }
  } else {
    for (let number = 0; number < fake.lines; number += 10_000)
      say(Array.from({ length: Math.min(10_000, fake.lines - number) }, (_, index) => line(number + index)).join(''))
  }
}
if (fake.longLine) {
  for (let left = fake.longLine; left > 0; left -= 1_000_000) say('y'.repeat(Math.min(left, 1_000_000)))
  say('\n')
}
if (fake.write) {
  const { file, text, how } = fake.write
  if (how === 'whole') writeFileSync(file, text)
  if (how === 'atomic') {
    writeFileSync(`${file}.tmp`, text)
    renameSync(`${file}.tmp`, file)
  }
  if (how === 'half') {
    const opened = openSync(file, 'w')
    writeSync(opened, text.slice(0, text.length / 2))
    fsyncSync(opened)
    await wait(fake.wait ?? 0)
    writeSync(opened, text.slice(text.length / 2))
    closeSync(opened)
  }
}
if (fake.wait) await wait(fake.wait)
if (fake.signal) {
  process.kill(process.pid, fake.signal)
  await wait(60_000)
}

const { as, wholeObject, failure, limit } = fake
if (as === 'plain') {
  if (failure) writeSync(2, `${failure}\n`)
  say(`${answer}\n`)
}
if (as === 'claude') {
  event({
    type: 'result',
    subtype: limit ? 'error_max_turns' : failure ? 'error_during_execution' : 'success',
    is_error: Boolean(failure ?? limit),
    duration_ms: 1,
    num_turns: fake.turns,
    ...(failure ? { errors: [failure] } : limit ? {} : { result: answer }),
    session_id: 's',
    total_cost_usd: fake.cost ?? 0.25,
    usage,
  })
}
if (as === 'gemini' && wholeObject) {
  const tokens = { prompt: 100, candidates: 40, cached: 3, thoughts: 5, tool: 0, total: 145 }
  say(
    `${JSON.stringify({ response: answer, stats: { models: { m: { tokens } } }, ...(failure ? { error: { type: 'ApiError', message: failure } } : {}) }, null, 2)}\n`,
  )
}
if (as === 'gemini' && !wholeObject) {
  for (const piece of answer.match(/.{1,10}/gsu) ?? [])
    event({ type: 'message', role: 'assistant', content: piece, delta: true })
  event({
    type: 'result',
    status: failure ? 'error' : 'success',
    ...(failure ? { error: { type: 'ApiError', message: failure } } : {}),
    stats: { total_tokens: 145, input_tokens: 100, output_tokens: 45, duration_ms: 1, tool_calls: 0 },
  })
}
if (as === 'codex') {
  event({ type: 'item.completed', item: { id: 'i', type: 'reasoning', text: 'thinking' } })
  event({ type: 'item.completed', item: { id: 'j', type: 'agent_message', text: answer } })
  if (failure) event({ type: 'turn.failed', error: { message: failure } })
  else event({ type: 'turn.completed', usage: { input_tokens: 100, cached_input_tokens: 3, output_tokens: 40 } })
}
process.exit(fake.exit)
