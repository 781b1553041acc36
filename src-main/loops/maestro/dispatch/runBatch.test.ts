/** A batch without processes: what a pause and a time limit leave. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AgentRun } from '@shared/contract/agents'
import type { AgentResult } from '../../../agents/agent'
import type { SpawnHooks } from '../../loop'
import type { MaestroWork } from '../agentChoice'
import { TreeAgents } from '../../treeAgents'
import { resolveSettings } from './dispatchSettings'
import { runBatch } from './runBatch'

let root: string
const place = '.gemini/parallel/one'
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-batch-')))
  mkdirSync(join(root, place, 'prompts'), { recursive: true })
  for (const name of ['architect', 'coder']) writeFileSync(join(root, place, `prompts/${name}.md`), `Work as ${name}.`)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const success: AgentResult = {
  status: 'success',
  data: '',
  reason: '',
  tokens: null,
  cost: null,
  duration: 1,
  exitCode: 0,
  stillAlive: [],
  log: '',
}

const waiting: AgentRun = {
  run: '1',
  agent: 'gemini',
  preset: 'gemini',
  purpose: '',
  turn: null,
  model: null,
  state: 'waiting',
  askedAt: 0,
  startedAt: null,
  endedAt: null,
  pid: null,
  status: null,
  reason: '',
  exitCode: null,
  tokens: null,
  cost: null,
  turns: null,
  stillAlive: [],
  lastLine: '',
  output: { bytes: 0, lines: 0 },
  errors: { bytes: 0, lines: 0 },
}

type Spawn = (role: string, hooks: SpawnHooks) => Promise<AgentResult>

function workOf(spawn: Spawn, pause = new AbortController()): MaestroWork {
  const unused = () => {
    throw new Error('A batch does not ask for it.')
  }
  return {
    root,
    folder: '',
    place,
    own: join(root, 'own'),
    agents: ['gemini'],
    workFolder: root,
    isInWorktree: false,
    signal: new AbortController().signal,
    isPausing: () => pause.signal.aborted,
    pauses: pause.signal,
    hasProgram: () => true,
    budget: unused,
    adopt: unused,
    check: unused,
    trusted: unused,
    remembered: { get: () => undefined, set: () => undefined },
    elsewhere: new TreeAgents().elsewhere('', ''),
    holds: { get: () => undefined, set: () => undefined },
    rememberedOfFolder: { get: () => undefined, set: () => undefined },
    options: {
      settings: resolveSettings({ environment: { MAESTRO_STAGGER_DELAY: '0' } }),
      extension: join(root, 'none'),
    },
    chosen: () => undefined,
    spawn: (role, _request, hooks = {}) => spawn(role, hooks),
    continuesPast: unused,
    step: () => undefined,
    log: () => undefined,
  }
}

const result = (name: string) => readFileSync(join(root, place, 'results', name), 'utf8')

describe('a pause', () => {
  it('lets agents at work end, starts no further one, and is resumed with those that are left', async () => {
    const pause = new AbortController()
    let end: (result: AgentResult) => void = () => undefined
    const started: string[] = []
    const running = runBatch(
      workOf((role, { follow }) => {
        started.push(role)
        follow?.({ ...waiting, state: 'running' })
        pause.abort()
        return new Promise((resolve) => (end = resolve))
      }, pause),
    )
    await vi.waitFor(() => expect(started).toEqual(['architect']))
    end(success)
    expect(await running).toMatchObject({ outcome: 'paused', message: expect.stringContaining('1 of 2') as string })
    expect(result('architect.exit')).toBe('0')
    // It would read as a batch that has ended.
    expect(existsSync(join(root, place, 'results/summary.json'))).toBe(false)
    const work = workOf((role, { follow }) => {
      started.push(role)
      follow?.({ ...waiting, state: 'running' })
      return Promise.resolve(success)
    })
    expect(await runBatch({ ...work, options: { ...work.options, resumes: true } })).toMatchObject({ outcome: 'done' })
    expect(started).toEqual(['architect', 'coder'])
  })

  it('takes back an agent that waits for its place', async () => {
    const pause = new AbortController()
    const running = runBatch(
      workOf(
        (_role, { follow, signal }) =>
          new Promise((resolve) => {
            signal?.addEventListener('abort', () => resolve({ ...success, status: 'stopped', exitCode: null }))
            follow?.({ ...waiting, reason: 'All places are taken.' })
            pause.abort()
          }),
        pause,
      ),
    )
    expect(await running).toMatchObject({ outcome: 'paused' })
    expect(existsSync(join(root, place, 'results/architect.exit'))).toBe(false)
  })
})

it('The time limit of an agent is the exit code 124, whatever it ended with', async () => {
  const work = workOf((role, { follow }) => {
    follow?.({ ...waiting, state: 'running' })
    return Promise.resolve(role === 'coder' ? { ...success, status: 'timeout', exitCode: 0 } : success)
  })
  expect(await runBatch(work)).toMatchObject({ outcome: 'failed', code: 1 })
  expect(result('coder.exit')).toBe('124')
  expect(JSON.parse(result('summary.json'))).toMatchObject({
    agents: [{ status: 'success' }, { name: 'coder', exit_code: 124, status: 'timeout' }],
  })
})
