import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PresetName } from '@shared/agentPresets'
import { LogSteps } from './logSteps'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-steps-'))
  path = join(folder, 'output.log')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const print = (...lines: (string | object)[]) =>
  appendFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))

/** `3 tool! Bash: npm test`: the line, the kind, whether it failed, the title. */
const told = ({ steps }: LogSteps) =>
  steps.map(({ line, kind, hasFailed, title }) => `${line} ${kind}${hasFailed ? '!' : ''} ${title}`)

async function stepsOf(preset: PresetName, ...lines: (string | object)[]): Promise<string[]> {
  print(...lines)
  const steps = new LogSteps(path, preset)
  await steps.load(Infinity, true)
  await steps.close()
  return told(steps)
}

const says = (text: string) => ({ type: 'assistant', message: { content: [{ type: 'text', text }] } })
const calls = (id: string, name: string, input: object) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name, input }] },
})
const answers = (tool_use_id: string, is_error = false) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id, is_error, content: '…' }] },
})

describe('the steps of what Claude Code prints', () => {
  it('are its messages and its tool calls, each with its result', async () => {
    expect(
      await stepsOf(
        'claude',
        { type: 'system', subtype: 'init', model: 'sonnet' },
        { type: 'system', subtype: 'hook' },
        says('I look\n\nfirst.'),
        calls('a', 'Read', { file_path: '/src/main.ts', limit: 3 }),
        answers('a'),
        calls('b', 'Bash', { command: 'npm test' }),
        answers('b', true),
        { type: 'result', subtype: 'success', is_error: false, result: 'done' },
      ),
    ).toEqual([
      '0 run Started: sonnet',
      '2 message I look first.',
      '3 tool Read: /src/main.ts',
      '5 tool! Bash: npm test',
      '7 run Finished',
    ])
  })

  it('tell which call a late result is of', async () => {
    expect(
      await stepsOf(
        'claude',
        calls('a', 'Bash', { command: 'one' }),
        calls('b', 'Bash', { command: 'two' }),
        answers('a', true),
        answers('b'),
      ),
    ).toEqual(['0 tool Bash: one', '1 tool Bash: two', '2 tool! Result of Bash: one', '3 tool Result of Bash: two'])
  })

  it('tell why it failed', async () => {
    expect(await stepsOf('claude', { type: 'result', subtype: 'error_max_turns', is_error: true })).toEqual([
      '0 run! Failed: error max turns',
    ])
  })

  it('are one for an event with several parts, as they are one line', async () => {
    const event = {
      type: 'assistant',
      message: {
        content: [
          { type: 'text', text: 'Now:' },
          { type: 'tool_use', id: 'a', name: 'Glob', input: {} },
        ],
      },
    }
    expect(await stepsOf('claude', event, answers('a', true))).toEqual(['0 message! Now: · Glob'])
  })

  it('keep what is printed between events together', async () => {
    expect(await stepsOf('claude', 'npm warn one', 'npm warn two', '', says('Hello'), '', 'bye')).toEqual([
      '0 text npm warn one',
      '3 message Hello',
      '5 text bye',
    ])
  })

  it('are found as the log grows, and the last one changes until the next comes', async () => {
    const steps = new LogSteps(path, 'claude')
    await steps.load(Infinity, false)
    expect(told(steps)).toEqual([])
    print(calls('a', 'Bash', { command: 'make' }))
    await steps.load(Infinity, false)
    expect(told(steps)).toEqual(['0 tool Bash: make'])
    print(answers('a', true))
    appendFileSync(path, JSON.stringify(says('It fails.')))
    await steps.load(Infinity, false)
    expect(told(steps)).toEqual(['0 tool! Bash: make'])
    await steps.load(Infinity, true)
    expect([told(steps), steps.lines]).toEqual([['0 tool! Bash: make', '2 message It fails.'], 3])
    await steps.close()
  })
})

describe('the steps of other programs', () => {
  it('are those of Gemini CLI, whose messages come in pieces', async () => {
    expect(
      await stepsOf(
        'gemini',
        { type: 'init', model: 'gemini-3' },
        { type: 'message', role: 'user', content: 'prompt' },
        { type: 'message', role: 'assistant', content: 'I will ', delta: true },
        { type: 'message', role: 'assistant', content: 'look.', delta: true },
        { type: 'tool_use', tool_name: 'read_file', tool_id: 't', parameters: { path: 'a.c' } },
        { type: 'tool_result', tool_id: 't', status: 'error' },
        { type: 'result', status: 'success' },
      ),
    ).toEqual(['0 run Started: gemini-3', '2 message I will look.', '4 tool! read_file: a.c', '6 run Finished'])
  })

  it('are those of Codex, by the exit codes of its commands', async () => {
    const command = { id: 'i1', type: 'command_execution', command: 'make', status: 'in_progress' }
    expect(
      await stepsOf(
        'codex',
        { type: 'thread.started', thread_id: 't' },
        { type: 'turn.started' },
        { type: 'item.started', item: command },
        { type: 'item.completed', item: { ...command, exit_code: 2, status: 'failed' } },
        { type: 'item.completed', item: { id: 'i2', type: 'agent_message', text: 'Done' } },
        { type: 'turn.failed', error: { message: 'no credit' } },
      ),
    ).toEqual(['0 run Started', '2 tool! Command: make', '4 message Done', '5 run! Failed: no credit'])
  })

  it('are those of OpenCode', async () => {
    expect(
      await stepsOf(
        'opencode',
        { type: 'step_start', part: {} },
        { type: 'text', part: { text: 'Hello' } },
        { type: 'tool_use', part: { tool: 'bash', callID: 'c', state: { status: 'error', input: { command: 'ls' } } } },
        { type: 'error', error: { name: 'APIError', data: { message: 'no key' } } },
      ),
    ).toEqual(['0 run Started', '1 message Hello', '2 tool! bash: ls', '3 run! Failed: no key'])
  })

  it('are none where no event was printed', async () => {
    expect(await stepsOf('custom', 'one', '{"a": 1', 'two')).toEqual([])
    expect(await stepsOf('claude', 'Invalid API key')).toEqual([])
  })
})

describe('steps of foreign text', () => {
  it('have short titles without what a terminal obeys', async () => {
    const [step] = await stepsOf('claude', says(`\u001b[31m${'x'.repeat(10_000)}`))
    expect(step).toBe(`0 message ${'x'.repeat(200)}`)
  })

  it.each([[null], [[]], [{ type: 7, message: 'x' }], [{ type: 'assistant', message: { content: [null, 1] } }]])(
    'get through %j',
    async (event) => {
      for (const preset of ['claude', 'gemini', 'codex', 'opencode', 'custom'] as const)
        await stepsOf(preset, JSON.stringify(event))
    },
  )
})
