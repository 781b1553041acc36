/** How the command `tuning run` ends, each end brought about on a skill and a run of its own: the exit codes of `help exit-codes`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultSettings, type Settings } from '@shared/contract/settings'
import { openDatabase } from '../../src-main/storage/database'
import { SettingsStore } from '../../src-main/storage/settings'
import { specialExitCodesOf } from '../../src-main/cli/exitCodes'
import { agentLike, isAlive } from '../support/agentBench'
import { CommandLine } from '../support/commandLine'

let calls: CommandLine
beforeEach(() => {
  calls = new CommandLine()
})
afterEach(() => calls.remove())

type Texts = Readonly<Record<string, string>>

const code = (line: string): string => `\`\`\`js\n${line}\n\`\`\`\n`
/** Its fix can be generated. */
const growing: Texts = { 'phases/1.md': code('history.push(reply)') }
/** Theirs cannot, and they fail the gate. */
const returning: Texts = Object.fromEntries(
  ['1', '2', '3'].map((name) => [`phases/${name}.md`, code('return { full_output: output, status }')]),
)
const passedOn: Texts = {
  'phases/1.md': code('const prompt = `Sum up ${JSON.stringify(state)}`\nask(prompt)'),
  'phases/2.md': code('const prompt = `Go on from ${JSON.stringify(state)}`\nask(prompt)'),
}

interface Start {
  readonly skill: Texts
  readonly words?: readonly string[]
  /** Changed in the state of the new run. */
  readonly state?: object
  /** What is done before, as words of `tuning run`. */
  readonly before?: readonly string[]
  /** Written after that. */
  readonly meanwhile?: Texts
  /** Kind of the stand-in that is the fixer. */
  readonly agent?: string
  readonly agentLimits?: Partial<Settings['agentLimits']>
  /** As soon as the agent has started. */
  readonly isInterrupted?: boolean
}

const put = (file: string, text: string): void => {
  const path = join(calls.folder, 'project', file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function endOf({ skill, words = [], state, before, meanwhile, agent, agentLimits, isInterrupted }: Start) {
  const pids = join(calls.folder, 'pids')
  put('skill/SKILL.md', '# Notes\n')
  for (const [file, text] of Object.entries(skill)) put(`skill/${file}`, text)
  if (agent !== undefined) {
    mkdirSync(join(calls.folder, 'data'), { mode: 0o700 })
    const database = openDatabase(join(calls.folder, 'data/bridgedeck.sqlite'))
    const command = resolve('test/peers/agents/standIn.mjs')
    const fixer = agentLike({}, { name: 'fixer', preset: 'claude', command, args: ['--kind', agent, '--file', pids] })
    new SettingsStore(database).change({
      agents: [fixer],
      agentLimits: { ...defaultSettings.agentLimits, ...agentLimits },
    })
    database.close()
  }
  const { run } = (await calls.data('tuning', 'init', 'project', '--problem', 'It grows')) as { run: string }
  const stateFile = `${run}/state.json`
  const read = () =>
    JSON.parse(readFileSync(join(calls.folder, 'project', stateFile), 'utf8')) as Record<string, unknown>
  if (state) put(stateFile, JSON.stringify({ ...read(), ...state }, undefined, 2))
  if (before) await calls.run('tuning', 'run', 'project', '--trust', ...before)
  for (const [file, text] of Object.entries(meanwhile ?? {})) put(`skill/${file}`, text)
  const asked = agent === undefined ? [] : ['--agent', 'fixer']
  const call = calls.start('tuning', 'run', 'project', '--trust', ...words, ...asked)
  const started = setInterval(() => {
    if (isInterrupted !== true || !existsSync(pids)) return
    clearInterval(started)
    call.interrupt()
  }, 50)
  const { code: ended, stdout, stderr } = await call.ended.finally(() => clearInterval(started))
  const agents = existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : []
  return { ended, said: `${stdout}${stderr}`, status: read().status, alive: agents.filter(isAlive).length }
}

const table: Readonly<Record<string, readonly [code: number, status: string, said: string, start: Start]>> = {
  'is completed': [0, 'completed', 'The run is completed. Gate: pass.', { skill: growing, words: ['--auto'] }],
  'is completed although its fixer failed': [
    0,
    'completed',
    'The fixer had no fix for',
    { skill: passedOn, agent: 'ends-124', words: ['--auto'] },
  ],
  'is aborted': [1, 'failed', 'The run was aborted.', { skill: growing, state: { error_count: 3 } }],
  'cannot scan its skill': [1, 'running', 'The skill cannot be scanned', { skill: { ...growing, 'odd.md': 'a\0b' } }],
  'needs an answer': [
    10,
    'running',
    'Critical and high issues left: 3.\nStart another iteration, or end the run.',
    { skill: returning },
  ],
  'has fixes to be chosen': [11, 'running', 'Choose the fixes to apply.', { skill: growing }],
  'has no iterations left': [
    20,
    'completed',
    'Completed after 5 of 5 iterations. Gate: fail.',
    { skill: growing, state: { iteration_count: 5 } },
  ],
  'reaches its limit of time': [
    20,
    'running',
    'limit',
    { skill: passedOn, agent: 'well', agentLimits: { runHours: 1e-9 } },
  ],
  'reaches its limit of cost': [
    21,
    'running',
    'limit',
    { skill: passedOn, agent: 'well', agentLimits: { runCost: 0.01 } },
  ],
  'goes round without a fix that helps': [
    22,
    'running',
    '2 rounds without a fix that helped.',
    { skill: returning, words: ['--auto'] },
  ],
  'has taken the steps that were asked for': [
    100,
    'running',
    'Stopped after 1 step',
    { skill: growing, words: ['--max-steps', '1'] },
  ],
  'is interrupted': [130, 'running', '', { skill: passedOn, agent: 'never', isInterrupted: true }],
}

describe('tuning run, when the run', () => {
  it.each(Object.entries(table))('%s', async (_, [expected, status, words, start]) => {
    const end = await endOf(start)
    expect([end.ended, end.status, end.said.includes(words) ? words : end.said, end.alive]).toEqual([
      expected,
      status,
      words,
      0,
    ])
  })

  it('ends in all the ways that its help tells of', () => {
    const told = specialExitCodesOf('tuning').map(({ code }) => code)
    expect([...new Set(Object.values(table).map(([code]) => code))].filter((code) => code !== 130)).toEqual(told)
  })

  it('is completed with --auto although no scan can tell of a fix names that fix', async () => {
    const { ended, said } = await endOf({
      skill: growing,
      words: ['--auto'],
      before: ['--auto', '--max-steps', '4'],
      // Not text: the skill cannot be scanned any more.
      meanwhile: { 'odd.md': 'a\0b' },
    })
    expect([ended, said]).toEqual([
      0,
      expect.stringContaining('Applied, but not verified: FIX-1. No scan can tell whether it helped.'),
    ])
  })
})
