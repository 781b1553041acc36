/** Agents as command lines: started, followed, limited, ended with their whole tree, found again after a crash. With stand-ins for the real ones. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AgentRun } from '@shared/contract/agents'
import type { AgentRequest } from '../../src-main/agents/agent'
import { ownGroup } from '../../src-main/agents/cgroup'
import { AgentSlots } from '../../src-main/agents/agentSlots'
import { AgentBench, agentLike, isAlive } from '../support/agentBench'
import { memoryInUse } from '../support/memoryInUse'
import { stopWithChild } from '../support/stopWithChild'

const slept = vi.hoisted(() => ({ ms: 0 }))
// The time since the computer's start goes on while it sleeps, as the clock does.
vi.mock('../../src-main/storage/children', async (original) => {
  const real = await original<typeof import('../../src-main/storage/children')>()
  return {
    ...real,
    childIsAlive: ({ pid, startedAt }: Parameters<typeof real.childIsAlive>[0]) =>
      real.childIsAlive({ pid, startedAt: startedAt + slept.ms }),
  }
})

let bench: AgentBench
beforeEach(() => {
  bench = new AgentBench()
})
afterEach(() => bench.close())

/** Whether this computer has a cgroup for each agent. */
function mayDivideGroup(): boolean {
  const own = ownGroup()
  if (own === undefined) return false
  const tried = join(own, `bridgedeck-test-${process.pid}`)
  try {
    mkdirSync(tried)
    rmdirSync(tried)
    return true
  } catch {
    return false
  }
}

const storedRun = async (id: string): Promise<AgentRun> => {
  const run = (await bench.agents.runs({ before: null })).runs.find((found) => found.run === id)
  if (!run) throw new Error(`no run ${id}`)
  return run
}

/** The one run that there is, once it runs. */
const running = (): Promise<AgentRun> =>
  vi.waitFor(() => {
    const [run] = bench.agents.live
    if (run?.state !== 'running') throw new Error('not yet')
    return run
  }, 60_000)

describe('an agent that works well', () => {
  it.each([
    ['claude', { as: 'claude', turns: 3, cost: 0.5 }, { tokens: 163, cost: 0.5 }],
    ['claude', { as: 'claude', wholeObject: true }, { tokens: 163, cost: 0.25 }],
    ['gemini', { as: 'gemini' }, { tokens: 145, cost: null }],
    ['gemini', { as: 'gemini', wholeObject: true }, { tokens: 145, cost: null }],
    ['codex', { as: 'codex' }, { tokens: 140, cost: null }],
    ['custom', { as: 'plain' }, { tokens: null, cost: null }],
  ] as const)('gets its prompt on standard input and is understood: %s %j', async (preset, fake, used) => {
    const prompt = `Wörk on it\nin two lines, ${'long '.repeat(40_000)}`
    const result = await bench.run(agentLike(fake, { preset }), { prompt })
    expect(result).toMatchObject({
      status: 'success',
      reason: '',
      data: prompt.trim(),
      exitCode: 0,
      stillAlive: [],
      ...used,
    })
    expect(await storedRun(result.log)).toMatchObject({
      state: 'ended',
      status: 'success',
      purpose: 'a test',
      preset,
      ...used,
    })
  })

  it('knows of the environment what is on the list, and what the person chose', async () => {
    process.env['BRIDGEDECK_TEST_SECRET'] = 'secret'
    process.env['BRIDGEDECK_TEST_KEY'] = 'key'
    try {
      const agent = agentLike(
        {},
        {
          command: process.execPath,
          args: ['-e', 'console.log(JSON.stringify(process.env))'],
          environment: ['BRIDGEDECK_TEST_KEY'],
        },
      )
      const { data } = await bench.run(agent)
      const seen: unknown = JSON.parse(data)
      expect(seen).toMatchObject({ BRIDGEDECK_TEST_KEY: 'key', PATH: process.env['PATH'] })
      expect(seen).not.toHaveProperty('BRIDGEDECK_TEST_SECRET')
      expect(seen).not.toHaveProperty('VITEST')
    } finally {
      delete process.env['BRIDGEDECK_TEST_SECRET']
      delete process.env['BRIDGEDECK_TEST_KEY']
    }
  })

  it('gets its arguments as they are, through no shell', async () => {
    const words = ['$(touch shell)', '`id`', '; echo no', '*', 'a b', '"']
    const { data } = await bench.run(
      agentLike(
        {},
        { command: process.execPath, args: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', ...words] },
      ),
    )
    expect(JSON.parse(data)).toEqual(words)
  })

  it('gets the variables and arguments of one start alone', async () => {
    const program = 'console.log(JSON.stringify([process.argv.slice(1), process.env.MAESTRO_CURRENT_AGENT]))'
    bench.agents.setups.save(agentLike({}, { command: process.execPath, args: ['-e', program, 'own'] }))
    const ask = (request: Partial<AgentRequest>) =>
      bench.agents.run(
        { agent: 'coder', prompt: '', cwd: bench.cwd, purpose: '', ...request },
        new AbortController().signal,
      )
    const { data } = await ask({ args: ['of this'], environment: { MAESTRO_CURRENT_AGENT: 'code_reviewer' } })
    expect(JSON.parse(data)).toEqual([['own', 'of this'], 'code_reviewer'])
    expect(JSON.parse((await ask({})).data)).toEqual([['own'], null])
  })

  it.each([
    ['as a second name of the same file', () => mkdtempSync(join(tmpdir(), 'bridgedeck-copies-'))],
    [
      'on another file system, where there is one',
      () => mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'bridgedeck-copies-')),
    ],
  ])('leaves all that it printed where it is asked for, %s, beside its raw exit code', async (_how, makeFolder) => {
    const folder = makeFolder()
    try {
      const copies = { output: join(folder, 'a.json'), errors: join(folder, 'a.log') }
      writeFileSync(copies.output, 'of an earlier start')
      bench.agents.setups.save(agentLike({ failure: 'broken', answer: 'half', exit: 3 }))
      const result = await bench.agents.run(
        { agent: 'coder', prompt: '', cwd: bench.cwd, purpose: '', copies },
        new AbortController().signal,
      )
      expect(result).toMatchObject({ status: 'error', exitCode: 3 })
      expect(readFileSync(copies.output, 'utf8')).toBe('half\n')
      expect(readFileSync(copies.errors, 'utf8')).toBe('broken\n')
      expect(readdirSync(folder)).toEqual(['a.json', 'a.log'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('is ended when what it prints cannot be put where it is asked for', async () => {
    bench.agents.setups.save(agentLike({ wait: 60_000 }))
    const copies = { output: join(bench.cwd, 'none/a.json'), errors: join(bench.cwd, 'none/a.log') }
    await expect(
      bench.agents.run(
        { agent: 'coder', prompt: '', cwd: bench.cwd, purpose: '', copies },
        new AbortController().signal,
      ),
    ).resolves.toMatchObject({ status: 'error', reason: expect.stringContaining('none/a.json') as string })
  })

  it('works in the folder it is given and writes its files there', async () => {
    for (const how of ['whole', 'atomic', 'half']) {
      expect((await bench.run(agentLike({ write: { file: `${how}.txt`, text: 'written', how } }))).status).toBe(
        'success',
      )
      expect(readFileSync(join(bench.cwd, `${how}.txt`), 'utf8')).toBe('written')
    }
  })
})

describe('an agent that fails', () => {
  it.each([
    ['claude', { as: 'claude', failure: 'overloaded', exit: 1 }, 'error', 'It ended with exit code 1: overloaded'],
    ['claude', { as: 'claude', failure: 'overloaded' }, 'error', 'Overloaded.'],
    ['claude', { as: 'claude', limit: true, exit: 1 }, 'limit', 'The agent’s own turn limit was reached after 1 turn.'],
    ['gemini', { as: 'gemini', failure: 'quota' }, 'error', 'Quota.'],
    ['gemini', { as: 'gemini', exit: 53 }, 'limit', 'The agent’s own turn limit was reached.'],
    ['gemini', { as: 'plain', exit: 42 }, 'error', 'It ended with exit code 42: its input is invalid. do it'],
    ['codex', { as: 'codex', failure: 'usage limit' }, 'error', 'Usage limit.'],
    ['custom', { exit: 7 }, 'error', 'It ended with exit code 7: do it'],
    ['custom', { signal: 'SIGSEGV' }, 'error', 'Something ended it with SIGSEGV.'],
  ] as const)('is an error or a limit, with the reason: %s %j', async (preset, fake, status, reason) => {
    expect(await bench.run(agentLike(fake, { preset }))).toMatchObject({ status, reason })
  })

  it('is not believed when it says success and its exit code does not', async () => {
    expect(
      await bench.run(agentLike({ as: 'claude', exit: 3, answer: 'all done' }, { preset: 'claude' })),
    ).toMatchObject({
      status: 'error',
      reason: 'It ended with exit code 3.',
      data: 'all done',
    })
  })

  it('is told to be missing when there is no such program, and has no number of its own', async () => {
    const result = await bench.run(agentLike({}, { command: 'bridgedeck-no-such-agent' }))
    expect(result).toMatchObject({ status: 'error', exitCode: null, tokens: null, cost: null })
    expect(result.refusal).toEqual({ kind: 'program', resetsAt: null })
    expect(result.reason).toContain('no such program')
    expect(await storedRun(result.log)).toMatchObject({ state: 'ended', pid: null })
    expect(bench.agents.setups.list().agents[0]?.program).toBeNull()
  })

  it('is refused when nobody set it up, or with a model that is an option', async () => {
    await expect(
      bench.agents.run({ agent: 'other', prompt: '', cwd: bench.cwd, purpose: '' }, new AbortController().signal),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    bench.agents.setups.save(agentLike({}))
    await expect(
      bench.agents.run(
        { agent: 'coder', prompt: '', cwd: bench.cwd, purpose: '', model: '--yolo' },
        new AbortController().signal,
      ),
    ).rejects.toMatchObject({ code: 'INVALID' })
  })
})

describe('what an agent prints', () => {
  it('is inert however hostile: the log is text, what it is said to have used is what it can have used', async () => {
    const result = await bench.run(agentLike({ as: 'claude', hostile: true }, { preset: 'claude' }))
    expect(result).toMatchObject({ status: 'success', tokens: 163, cost: 0.25 })
    const { lines } = await bench.agents.readLog({ run: result.log, stream: 'output', from: null, count: 100 })
    const line = lines.find(({ text }) => text.includes('script'))
    expect(line?.text).toContain('red link <script>alert(1)</script>')
    expect(lines.map(({ text }) => text).join('')).not.toContain('\u001b')
    expect((await bench.agents.readLog({ run: result.log, stream: 'errors', from: 0, count: 1 })).lines[0]?.text).toBe(
      'wiped',
    )
  })

  it('may be hundreds of megabytes and a line of fifty, and takes no such memory', async () => {
    const before = memoryInUse()
    let highest = 0
    const watch = setInterval(() => (highest = Math.max(highest, memoryInUse())), 200)
    const result = await bench.run(
      agentLike({ as: 'claude', lines: 2_000_000, longLine: 50_000_000 }, { preset: 'claude' }),
    )
    clearInterval(watch)
    expect(result).toMatchObject({ status: 'success', data: 'do it', tokens: 163 })
    const { output } = await storedRun(result.log)
    expect(output.bytes).toBeGreaterThan(230_000_000)
    expect(output.lines).toBe(2_000_000 + 4)
    expect(highest - before).toBeLessThan(150 * 1024 * 1024)
    const { lines, total } = await readAll(result.log, 2_000_001, 3)
    expect(total).toBe(2_000_004)
    expect(lines.map(({ bytes }) => bytes)[1]).toBe(50_000_000)
    expect(lines[0]?.text).toMatch(/^line 1999999 x/)
  })

  it('is the end of an agent when it is more than the log may hold', async () => {
    await bench.close()
    bench = new AgentBench({ grace: 1_000, log: 1024 * 1024 })
    const result = await bench.run(agentLike({ lines: 200_000, wait: 60_000 }))
    expect(result).toMatchObject({ status: 'error', reason: expect.stringContaining('more than 1 MiB') as string })
  })
})

/** Lines once the whole log is counted. */
async function readAll(run: string, from: number, count: number) {
  for (;;) {
    const page = await bench.agents.readLog({ run, stream: 'output', from, count })
    if (page.counted === page.size) return page
  }
}

describe('the limits of an agent', () => {
  it('are its time: the shorter of its own and the one that was asked for', async () => {
    expect(await bench.run(agentLike({ wait: 60_000 }), { timeLimit: 300 })).toMatchObject({
      status: 'timeout',
      exitCode: null,
    })
    expect(await bench.run(agentLike({ wait: 60_000 }, { timeLimit: 1 }), { timeLimit: 60_000 })).toMatchObject({
      status: 'timeout',
      reason: 'Timed out after 1 s.',
    })
  })

  it('are its turns, as far as it tells them', async () => {
    const result = await bench.run(
      agentLike({ as: 'claude', turns: 1000, turnTime: 100 }, { preset: 'claude', maxTurns: 3 }),
    )
    expect(result).toMatchObject({ status: 'limit', tokens: expect.any(Number) as number })
    expect(result.reason).toMatch(/^It was stopped in its turn [4-9]\d* of at most 3\.$/)
  })

  it('are the places: the others wait their turn, and say so', async () => {
    bench.settings.change({ mostAgents: 1 })
    const order: string[] = []
    const all = ['one', 'two', 'three'].map(async (prompt) => {
      const { data } = await bench.run(agentLike({ wait: 300 }), { prompt })
      order.push(data)
    })
    await running()
    expect(bench.agents.live.map(({ state, reason }) => [state, reason])).toEqual([
      ['running', ''],
      ['waiting', 'It waits for a place: 1 of at most 1 run.'],
      ['waiting', 'It waits for a place: 1 of at most 1 run.'],
    ])
    await Promise.all(all)
    expect(order).toEqual(['one', 'two', 'three'])
  })

  it('are those of its group before those of all, and it says which it waits for', async () => {
    bench.settings.change({ mostAgents: 2 })
    bench.agents.setups.save(agentLike({ wait: 300 }))
    const group = { title: 'batch one', slots: new AgentSlots(() => 1) }
    const ask = (request: Partial<AgentRequest> = {}) =>
      bench.agents.run(
        { agent: 'coder', prompt: 'x', cwd: bench.cwd, purpose: '', ...request },
        new AbortController().signal,
      )
    const grouped = [ask({ group }), ask({ group })]
    await running()
    const all = [...grouped, ask(), ask()]
    await vi.waitFor(() => expect(bench.agents.live[3]?.reason).not.toBe(''))
    expect(bench.agents.live.map(({ reason }) => reason)).toEqual([
      '',
      'It waits for a place in the batch one: 1 of at most 1 run.',
      '',
      'It waits for a place: 2 of at most 2 run.',
    ])
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(4).fill('success'))
    expect(group.slots.taken).toBe(0)
  })

  it('start none whose turn it is no more, once the one before has told what it used', async () => {
    bench.settings.change({ mostAgents: 1 })
    bench.agents.setups.save(agentLike({ wait: 300 }))
    const used: string[] = []
    const ask = () =>
      bench.agents.run(
        {
          agent: 'coder',
          prompt: 'x',
          cwd: bench.cwd,
          purpose: '',
          onEnd: ({ status }) => used.push(status),
          mayStart: () => used.length === 0,
        },
        new AbortController().signal,
      )
    const [first, second] = await Promise.all([ask(), ask()])
    expect(first.status).toBe('success')
    expect(second).toMatchObject({ status: 'stopped', reason: 'It was withdrawn before it started.', exitCode: null })
    expect(used).toEqual(['success'])
  })

  it('let one that waits be stopped, and give the places that are added to those that wait', async () => {
    bench.settings.change({ mostAgents: 1 })
    const first = bench.run(agentLike({ wait: 60_000 }))
    await running()
    const second = bench.run(agentLike({}))
    const third = bench.run(agentLike({}))
    const [one, two] = bench.agents.live
    await bench.agents.stop(two?.run ?? '')
    expect(await second).toMatchObject({ status: 'stopped', duration: 0 })
    bench.settings.change({ mostAgents: 2 })
    expect((await third).status).toBe('success')
    await bench.agents.stop(one?.run ?? '')
    expect((await first).status).toBe('stopped')
  })
})

describe('stopping an agent', () => {
  it.each([
    ['a tidy one', {}],
    ['one that ignores SIGTERM', { stubborn: true }],
    ['one with a process in its group', { child: 'group' }],
    ['one with a process in a session of its own', { child: 'escaped' }],
    ['one whose process has no environment', { child: 'hidden' }],
  ])('leaves nothing alive of %s', async (_, fake) => {
    const file = join(bench.folder, 'pids')
    const result = bench.run(agentLike({ wait: 60_000, file, ...fake }))
    const run = await running()
    const expected = 'child' in fake ? 2 : 1
    await expect.poll(() => bench.pidsIn(file)).toHaveLength(expected)
    expect(await bench.agents.stop(run.run)).toEqual([])
    expect(await result).toMatchObject({ status: 'stopped', reason: 'It was stopped by the person.', stillAlive: [] })
    expect(bench.pidsIn(file).filter(isAlive)).toEqual([])
    expect(new Set(bench.pidsIn(file))).toContain(run.pid)
  })

  it('catches one that forks on and on, each in a session of its own', async () => {
    const file = join(bench.folder, 'pids')
    const result = bench.run(agentLike({ wait: 60_000, forks: 20, file }))
    await expect.poll(() => bench.pidsIn(file).length).toBeGreaterThan(4)
    const [run] = bench.agents.live
    expect(await bench.agents.stop(run?.run ?? '')).toEqual([])
    expect((await result).stillAlive).toEqual([])
    expect(bench.pidsIn(file).filter(isAlive)).toEqual([])
  })

  it('is what becomes of processes that it leaves behind when it ends by itself', async () => {
    const file = join(bench.folder, 'pids')
    const result = await bench.run(agentLike({ child: 'escaped', file }))
    expect(result).toMatchObject({ status: 'success', reason: '' })
    expect(bench.pidsIn(file)).toHaveLength(2)
    expect(bench.pidsIn(file).filter(isAlive)).toEqual([])
    expect((await storedRun(result.log)).reason).toContain('It left a process running')
  })

  it.runIf(process.platform === 'linux')(
    'finds one that lost its parent and its environment by what it prints to',
    async () => expect(await stopWithChild(bench, 'printing')).toEqual([]),
  )

  it.runIf(process.platform === 'linux')('finds one that kept nothing of it at all', async () => {
    expect(await stopWithChild(bench, 'daemon')).toEqual([])
    const file = join(bench.folder, 'pids')
    const next = await bench.run(agentLike({ child: 'daemon', file }))
    expect((await storedRun(next.log)).reason).toContain('It left a process running')
    expect(bench.pidsIn(file).filter(isAlive)).toEqual([])
  })

  it.runIf(mayDivideGroup())('leaves no cgroup behind', async () => {
    const { log } = await bench.run(agentLike({}))
    await expect.poll(() => readdirSync(ownGroup() ?? '').filter((name) => name.endsWith(log))).toEqual([])
  })

  it('is what an abort does, and the end of the bridge', async () => {
    const controller = new AbortController()
    const aborted = bench.run(agentLike({ wait: 60_000 }), { signal: controller.signal })
    await running()
    controller.abort()
    expect((await aborted).status).toBe('stopped')
    const file = join(bench.folder, 'pids')
    const closed = bench.run(agentLike({ wait: 60_000, stubborn: true, child: 'escaped', file }))
    await expect.poll(() => bench.pidsIn(file)).toHaveLength(2)
    await bench.agents.close()
    expect(await closed).toMatchObject({ status: 'stopped', reason: 'Bridgedeck ended.' })
    expect(bench.pidsIn(file).filter(isAlive)).toEqual([])
  })
})

describe('a bridge that starts after one that crashed', () => {
  /** A run as a bridge leaves it that is killed: open in the database, its process alive or not. */
  async function abandoned(fake: object): Promise<{ id: string; pid: number }> {
    const script = `
      const { AgentBench, agentLike } = await import(${JSON.stringify(join(import.meta.dirname, '../support/agentBench.ts'))})
      const bench = new AgentBench()
      void bench.run(agentLike(${JSON.stringify(fake)}, { preset: 'claude' }))
      const wait = setInterval(() => {
        const [run] = bench.agents.live
        if (run?.state !== 'running') return
        process.stdout.write(JSON.stringify({ folder: bench.folder, id: run.run, pid: run.pid }) + '\\n')
        clearInterval(wait)
      }, 20)`
    const file = join(bench.folder, 'bridge.ts')
    writeFileSync(file, script)
    const child = spawn(process.execPath, ['--import', join(import.meta.dirname, '../support/typescript.mjs'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const told = JSON.parse(line.toString()) as { folder: string; id: string; pid: number }
    child.kill('SIGKILL')
    await once(child, 'exit')
    await bench.close()
    const { folder } = told
    bench = new AgentBench(undefined, folder)
    return told
  }

  it('lists what still runs by its process, follows it, and tells its answer from its log when it ended', async () => {
    const { id, pid } = await abandoned({ as: 'claude', wait: 3_000, answer: 'done alone' })
    expect(isAlive(pid)).toBe(true)
    expect(await storedRun(id)).toMatchObject({
      state: 'left',
      pid,
      reason: expect.stringContaining('still runs') as string,
    })
    await expect
      .poll(() => storedRun(id))
      .toMatchObject({ state: 'ended', exitCode: null, tokens: 163, cost: 0.25, reason: 'Nobody saw how it ended.' })
  })

  it('can stop it', async () => {
    const { id, pid } = await abandoned({ as: 'claude', wait: 60_000, stubborn: true })
    expect(await bench.agents.stop(id)).toEqual([])
    expect(isAlive(pid)).toBe(false)
    expect(await storedRun(id)).toMatchObject({ state: 'ended', status: 'stopped' })
  })

  it.runIf(process.platform === 'linux')(
    'finds one that was started in the instant before its process was noted',
    async () => {
      const { id, pid } = await abandoned({ as: 'claude', wait: 60_000 })
      bench.database.prepare(`UPDATE agent_runs SET result = json_set(result, '$.pid', NULL) WHERE id = ?`).run(id)
      expect(await storedRun(id)).toMatchObject({ state: 'left', pid })
      expect(await bench.agents.stop(id)).toEqual([])
      expect(isAlive(pid)).toBe(false)
    },
  )

  it('closes the account of one that ended meanwhile', async () => {
    const { id, pid } = await abandoned({ as: 'claude', wait: 100, answer: 'done alone' })
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(await storedRun(id)).toMatchObject({
      state: 'ended',
      status: 'success',
      reason: 'Nobody saw how it ended.',
      tokens: 163,
    })
  })

  it('leaves alone what another bridge runs that is alive, and can stop it', async () => {
    const { id, pid } = await abandoned({ as: 'claude', wait: 60_000 })
    const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
    try {
      const host = { pid: other.pid, startedAt: Date.now() }
      writeFileSync(join(bench.folder, 'agents', id, 'host.json'), JSON.stringify(host))
      expect(await storedRun(id)).toMatchObject({ state: 'running', pid })
      expect(bench.agents.left).toEqual([])
      expect(await bench.agents.stop(id)).toEqual([])
      expect(isAlive(pid)).toBe(false)
    } finally {
      other.kill()
    }
  })

  const signal = new AbortController().signal

  it('takes it over for its loop: waits for its answer and its cost, and ends what it leaves behind', async () => {
    const pids = join(bench.folder, '..', `${randomUUID()}.pids`)
    const { id } = await abandoned({ as: 'claude', wait: 1_000, answer: 'done alone', child: 'escaped', file: pids })
    const states: string[] = []
    const result = await bench.agents.adopt(id, signal, {}, ({ state }) => states.push(state))
    expect(new Set(states)).toEqual(new Set(['running']))
    expect(result).toMatchObject({
      status: 'success',
      reason: '',
      data: 'done alone',
      cost: 0.25,
      log: id,
      stillAlive: [],
    })
    expect(bench.pidsIn(pids)).toHaveLength(2)
    expect(bench.pidsIn(pids).filter(isAlive)).toEqual([])
    expect(await storedRun(id)).toMatchObject({ state: 'ended', status: 'success', exitCode: null })
    // As often as it is asked for.
    expect(await bench.agents.adopt(id, signal)).toEqual(result)
    rmSync(pids)
  })

  it('ends one that it took over at its time limit, or when its loop is stopped', async () => {
    const late = await abandoned({ as: 'claude', wait: 60_000, stubborn: true })
    expect(await bench.agents.adopt(late.id, signal, { timeLimit: 1 })).toMatchObject({
      status: 'timeout',
      stillAlive: [],
    })
    expect(isAlive(late.pid)).toBe(false)
    const { id, pid } = await abandoned({ as: 'claude', wait: 60_000 })
    const stop = new AbortController()
    const adopted = bench.agents.adopt(id, stop.signal, {}, ({ state }) => {
      if (state === 'running') stop.abort()
    })
    expect(await adopted).toMatchObject({ status: 'stopped' })
    expect(isAlive(pid)).toBe(false)
    // What was stopped has no answer.
    expect(await bench.agents.adopt(id, signal)).toBeNull()
  })

  it('does not count the time in which the computer slept against its time limit', async () => {
    const { id, pid } = await abandoned({ as: 'claude', wait: 2_000, answer: 'done alone' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    try {
      const adopted = bench.agents.adopt(id, signal, { timeLimit: 3_600_000 }, () => {
        if (slept.ms > 0) return
        slept.ms = 7_200_000
        vi.setSystemTime(Date.now() + slept.ms)
      })
      expect(await adopted).toMatchObject({ status: 'success', data: 'done alone' })
      expect(isAlive(pid)).toBe(false)
    } finally {
      slept.ms = 0
      vi.useRealTimers()
    }
  })

  it('lets the person stop one that it took over', async () => {
    const { id, pid } = await abandoned({ as: 'claude', wait: 60_000 })
    const adopted = bench.agents.adopt(id, signal)
    await expect.poll(() => storedRun(id)).toMatchObject({ state: 'running' })
    expect(await bench.agents.stop(id)).toEqual([])
    expect(await adopted).toMatchObject({ status: 'stopped', reason: 'It was stopped by the person.' })
    expect(isAlive(pid)).toBe(false)
  })

  it('knows what one came to that another question is just closing the account of', async () => {
    const { id, pid } = await abandoned({ as: 'claude', wait: 100, answer: 'done alone' })
    await expect.poll(() => isAlive(pid)).toBe(false)
    const asked = bench.agents.runs({ before: null })
    expect(await bench.agents.adopt(id, signal)).toMatchObject({ status: 'success', data: 'done alone', cost: 0.25 })
    await asked
  })

  it('takes one over whose own bridge ended after it looked first', async () => {
    const { id, pid } = await abandoned({ as: 'claude', wait: 2_000, answer: 'done alone' })
    const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
    const ended = once(other, 'exit')
    const host = { pid: other.pid, startedAt: Date.now() }
    writeFileSync(join(bench.folder, 'agents', id, 'host.json'), JSON.stringify(host))
    expect(await bench.agents.findLeft()).toEqual([])
    other.kill()
    await ended
    expect(await bench.agents.findLeft()).toMatchObject([{ run: id, pid, state: 'left' }])
    expect(await bench.agents.adopt(id, signal)).toMatchObject({ status: 'success', data: 'done alone', cost: 0.25 })
  })

  it('has no answer of one that was killed with the bridge', async () => {
    const { id, pid } = await abandoned({ as: 'claude', wait: 60_000 })
    process.kill(pid, 'SIGKILL')
    expect(await bench.agents.adopt(id, signal)).toMatchObject({ status: 'error', exitCode: null })
    expect(await storedRun(id)).toMatchObject({ state: 'ended', status: 'error' })
  })
})

describe('the log of a run', () => {
  it('is searched for text and for expressions, whatever they are', async () => {
    const { log: run } = await bench.run(agentLike({ lines: 5_000, answer: 'Ünlike the others (a+b)' }))
    const signal = new AbortController().signal
    const search = { run, stream: 'output', from: 0 } as const
    const found = async (find: string, as: 'text' | 'expression', ignoreCase = false) =>
      (await bench.agents.searchLog({ ...search, find, as, ignoreCase }, signal)).found.map(({ line }) => line)
    expect(await found('line 4321 ', 'text')).toEqual([4321])
    expect(await found('LINE 4321 ', 'text')).toEqual([])
    expect(await found('LINE 4321 ', 'text', true)).toEqual([4321])
    expect(await found('^line 12.4 ', 'expression')).toEqual([
      1204, 1214, 1224, 1234, 1244, 1254, 1264, 1274, 1284, 1294,
    ])
    expect(await found('(a+b)', 'text')).toEqual([5_000])
    expect(await found('(A+B)', 'text', true)).toEqual([5_000])
    expect(await found('nlike', 'expression')).toEqual([5_000])
    expect(await found('line', 'text')).toHaveLength(200)
    await expect(found('(', 'expression')).rejects.toMatchObject({ code: 'INVALID' })
    await expect(found('^(\\w+\\s?)+$!', 'expression')).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('is followed while it grows: what crosses to the window is how much there is, not the lines', async () => {
    const result = bench.run(agentLike({ lines: 400, rate: 400 }))
    const run = await running()
    await expect.poll(() => bench.told.get(run.run)?.output.lines).toBeGreaterThan(50)
    expect(bench.told.get(run.run)?.lastLine).toMatch(/^line \d+ x/)
    await result
    await expect.poll(() => bench.told.get(run.run)).toMatchObject({ state: 'ended', output: { lines: 401 } })
  })
})

it('an agent can be tried, in a folder of its own', async () => {
  bench.agents.setups.save(agentLike({ answer: 'ready' }))
  const { run } = bench.agents.try('coder')
  await expect
    .poll(() => storedRun(run))
    .toMatchObject({ state: 'ended', status: 'success', lastLine: 'ready', purpose: 'try it' })
})

it.each([
  [
    'another word',
    { answer: 'I need a login first' },
    'It was asked to answer “ready”, and answered “I need a login first”.',
  ],
  ['nothing', { answer: '' }, 'It was asked to answer “ready”, and gave no answer.'],
])('an agent that is tried and answers %s has failed', async (_, fake, reason) => {
  bench.agents.setups.save(agentLike(fake))
  const { run } = bench.agents.try('coder')
  await expect.poll(() => storedRun(run)).toMatchObject({ state: 'ended', status: 'error', reason })
})

it('an agent that is tried may say a word before its answer, and end it as a sentence', async () => {
  bench.agents.setups.save(agentLike({ answer: 'Loading the model…\n**Ready.**' }))
  const { run } = bench.agents.try('coder')
  await expect.poll(() => storedRun(run)).toMatchObject({ state: 'ended', status: 'success' })
})

it('what an agent prints has the times of its lines, and a log of earlier days has none', async () => {
  const before = Date.now()
  const result = await bench.run(agentLike({ lines: 20, rate: 200 }))
  const id = result.log
  const page = await bench.agents.readLog({ run: id, stream: 'output', from: 0, count: 100 })
  expect(page.lines.length).toBeGreaterThan(20)
  for (const { at } of page.lines) expect(at).toBeGreaterThanOrEqual(before)
  rmSync(join(bench.folder, 'agents', id, 'output.log.times'))
  const next = bench.another()
  const old = await next.readLog({ run: id, stream: 'output', from: 0, count: 100 })
  await next.close()
  expect(old.lines.map(({ at }) => at)).toEqual(page.lines.map(() => null))
})
